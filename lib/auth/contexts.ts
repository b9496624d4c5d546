import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { RequestLine } from '../http/request'
import type { Token } from './access-token'
import type { AccountRoute, AnsweredRoute } from './account-route'
import type { TokenPlace } from './token-places'

/** Who sends a request. */
export interface Sender {
  readonly token: Token
  /** Where the request has sent something; undefined if nowhere. */
  readonly place?: TokenPlace
}

/** What a request may do that asks for a token: no resource is part of it. */
export const NO_RESOURCE = 'no resource'

/** What a request without a token may do: read or change the one list or record at this path, by this method. */
export type Grant = RequestLine | typeof NO_RESOURCE

/** What the steps of one server tell each other about a request. */
export interface Context {
  sender?: Sender
  /** All that it may do, if it passes the token check without a token. */
  grant?: Grant
  /** Its route of accounts, if it has one, and the method, the address and the data for which that was looked for. */
  found?: {
    readonly method: string
    readonly url: string
    readonly data: object
    readonly route: AccountRoute | undefined
  }
  /** The sign-up that it is, whatever a user's middleware does to its address. */
  signUp?: AnsweredRoute
  /** Where it was led to the record of whoever sends it, what its response says of that. */
  showOwn?: (record: unknown) => unknown
  /** The sandbox in which what it exchanges was made, where it names none: a claim. */
  madeIn?: unknown
  /** Whose it is, where others do not see it. */
  viewer?: string | undefined
  /** Takes it to its sandbox. */
  enterSandbox?: RequestHandler
  /** Chooses a fault rule for it by its body, once that is parsed, and goes on unless that rule ends it. */
  chooseByBody?: (proceed: (error?: unknown) => void) => void
  /** Answers it by a fault rule, in the place of the resources. */
  answer?: RequestHandler
}

/**
 * The contexts of the requests of one server. Another server has others, also for the same request: a user's middleware may
 * be a server, or a token check with another key, and neither may take this one's word for who sends it.
 */
export class Contexts {
  readonly #known = new WeakMap<IncomingMessage, Context>()

  of(request: IncomingMessage): Context {
    const known = this.#known.get(request)
    if (known !== undefined) return known
    const context: Context = {}
    this.#known.set(request, context)
    return context
  }
}
