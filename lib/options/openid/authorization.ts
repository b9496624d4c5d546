import { fieldOf, type User } from '../../auth/person-fields'
import { badRequest } from '../../errors'
import type { AllowedHosts } from '../../http/allowed-hosts'
import { isRecord } from '../../is-record'
import { readRedirectAddress } from './redirect-address'

/** An error of RFC 6749 section 4.1.2.1 or OpenID Connect Core 1.0 section 3.1.2.6, and a sentence. */
export type AuthorizationProblem = readonly [error: string, description: string]

/** Gives a parameter, which is empty where it was not sent, or sent twice (RFC 6749 section 3.1). */
export type Parameters = (name: string) => string

/** The parameters of a query or a body. */
export function parametersOf(sent: unknown): Parameters {
  const fields: User = isRecord(sent) ? sent : {}
  return (name) => fieldOf(fields, name)
}

/** What a client asks a browser for: to come back with a code (OpenID Connect Core 1.0 section 3.1.2.1). */
export class Authorization {
  readonly client: string
  readonly redirect: string
  readonly of: Parameters
  /** Where the browser goes back to. */
  readonly #back: URL

  /** @throws HttpError 400 where the browser cannot be sent back, so that a person must read why */
  constructor(query: unknown, hosts: AllowedHosts) {
    this.of = parametersOf(query)
    this.client = this.of('client_id')
    this.redirect = this.of('redirect_uri')
    if (this.client === '') throw badRequest('The address must have the parameter client_id once.')
    this.#back = readRedirectAddress(this.redirect, hosts, 'redirect_uri')
  }

  /** What is wrong with it, for the client. */
  get problem(): AuthorizationProblem | undefined {
    const { of } = this
    if (of('response_type') !== 'code') return ['unsupported_response_type', 'response_type must be code.']
    if (!['', 'query', 'fragment'].includes(of('response_mode')))
      return ['invalid_request', 'response_mode must be query or fragment.']
    for (const name of ['request', 'request_uri'])
      if (of(name) !== '')
        return [`${name}_not_supported`, `${name} is not read: send each parameter by itself.`]
    // Without a method it would be plain, which protects nothing (RFC 9700 section 2.1.1).
    if (of('code_challenge') !== '' && of('code_challenge_method') !== 'S256')
      return ['invalid_request', 'code_challenge_method must be S256.']
    return undefined
  }

  /** Whether a prompt is asked for, such as `none`. */
  hasPrompt(name: string): boolean {
    return this.of('prompt').split(' ').includes(name)
  }

  /** The address that takes the browser back with an answer. */
  addressWith(answer: Readonly<Record<string, string>>): string {
    const address = new URL(this.#back)
    const state = this.of('state')
    const values = Object.entries({ ...answer, ...(state !== '' && { state }) })
    if (this.of('response_mode') === 'fragment') address.hash = String(new URLSearchParams(values))
    else for (const [name, value] of values) address.searchParams.set(name, value)
    return address.href
  }
}
