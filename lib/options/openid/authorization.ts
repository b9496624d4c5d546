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

/** How an answer comes back (OAuth 2.0 Multiple Response Types, OAuth 2.0 Form Post Response Mode, and Auth0's message). */
const MODES = ['query', 'fragment', 'form_post', 'web_message']

/** What a client asks a browser for: to come back with a code (OpenID Connect Core 1.0 section 3.1.2.1). */
export class Authorization {
  readonly client: string
  /** Where the browser goes back to, as the client has written it, but for what stands after `#`. */
  readonly redirect: string
  readonly of: Parameters
  /** The same as browsers read it. */
  readonly back: URL
  /** What stands after `#` in it; undefined where nothing does. */
  readonly fragment: string | undefined

  /** @throws HttpError 400 where the browser cannot be sent back, so that a person must read why */
  constructor(query: unknown, hosts: AllowedHosts) {
    this.of = parametersOf(query)
    this.client = this.of('client_id')
    if (this.client === '') throw badRequest('The address must have the parameter client_id once.')
    const sent = this.of('redirect_uri')
    const { back, fragment } = readRedirectAddress(sent, hosts, 'redirect_uri')
    this.back = back
    this.fragment = fragment
    this.redirect = withoutFragment(sent)
  }

  get state(): string {
    return this.of('state')
  }

  /** How the answer comes back; in the query where the client asks for nothing that is known. */
  get mode(): string {
    const asked = this.of('response_mode')
    return MODES.includes(asked) ? asked : 'query'
  }

  /** What is wrong with it, for the client. */
  get problem(): AuthorizationProblem | undefined {
    const { of } = this
    const type = of('response_type')
    if (type !== 'code') {
      const advice = type.includes('token')
        ? ": in express-openid-connect, authorizationParams: { response_type: 'code' }"
        : ''
      return ['unsupported_response_type', `response_type must be code${advice}.`]
    }
    if (!['', ...MODES].includes(of('response_mode')))
      return ['invalid_request', `response_mode must be ${MODES.join(', ')}, or be left out.`]
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
}

/** An address without what stands after `#`, which no server sees. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*$/s, '')
}
