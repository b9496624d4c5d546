import type { User } from '../auth/person-fields'
import type { HttpError } from '../errors'
import type { HttpRequest, HttpResponse } from '../http/handler'
import type { Identified, NotIdentified } from './identify'

/** What a response with new tokens can say. There are none for who has signed up, and may not log in. */
export interface Issued {
  readonly token?: string
  /** That of the token (RFC 6749 section 7.1). */
  readonly type?: 'Bearer'
  /** Undefined where the response has none in its body. */
  readonly refresh?: string | undefined
  readonly user: User
  /** Seconds that the token lasts. */
  readonly expires?: number
  /** When it ends, as a text of ISO 8601. */
  readonly expiresAt?: string
  /** A sentence for people. */
  readonly message: string
}

/**
 * How a route of accounts is asked, and how it responds: as it is specified (`specified-protocol.ts`), or as the application
 * has it (`own-protocol.ts`).
 */
export interface LoginProtocol {
  /**
   * Who the body of a login is, or for a GET its query.
   *
   * @param request that of the login: its notes get what no log and no journal shows, because it was compared as a password
   * @throws HttpError 400 for one that has too many fields
   */
  identify(sent: unknown, request: HttpRequest): Promise<Identified>
  /** The claims of a token about somebody, beside those of the session: who it is, and in `sub` the id. */
  claimsFor(user: User): object
  /** The body of a response with new tokens. */
  loginBody(issued: Issued): unknown
  /** The names and values of its further headers. */
  loginHeaders(issued: Issued): readonly (readonly [name: string, value: unknown])[]
  /** Sends whose token it is. */
  sendUser(user: User, token: string, request: HttpRequest, response: HttpResponse): void
  /**
   * The error of a refused login.
   *
   * @param refused why, for the log
   * @param problem a clause for the client as well, where nothing was read
   */
  refusal(refused: NotIdentified, problem: string | undefined): HttpError
  /** Makes the body of any other error of a route; undefined where it is as everywhere. */
  readonly errorBody: ((error: HttpError) => unknown) | undefined
  /** Whether tokens travel in cookies. */
  readonly hasCookies: boolean
}

/** A 401 says how one proves who one is (RFC 9110 section 15.5.2). */
export function withChallenge(status: number) {
  return { status, headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {} }
}
