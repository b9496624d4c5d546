import { UnauthorizedError } from '../errors'
import { type AllowRule, isAllowed } from './allow-rules'

/** What the check needs of a request. */
interface AskingRequest {
  readonly method: string
  /** Still encoded. */
  readonly path: string
}

/** The requests under way that have passed the token check without a token. */
const anonymous = new WeakSet<object>()

/** Whether a request has passed the token check without a token. */
export function isAnonymous(request: object): boolean {
  return anonymous.has(request)
}

/**
 * Lets the requests named by the rules pass the token check without a token, and checks again later that they
 * reach nothing else: after the token check, a user's middleware may change the URL, and json-server's router
 * leads `/posts/1/users` to the list of users.
 */
export class AnonymousAccess {
  constructor(private readonly rules: readonly AllowRule[]) {}

  /** Whether a request without a token may pass the token check. */
  admit(request: AskingRequest): boolean {
    const isNamed = isAllowed(this.rules, request.method, request.path)
    if (isNamed) anonymous.add(request)
    return isNamed
  }

  /**
   * Called for each place that a request reaches after the token check.
   *
   * @param place the path of the resource or record that the request will read or change; undefined if no
   *   rule can name it
   * @throws UnauthorizedError when the request has no token and no rule names the place
   */
  require(request: AskingRequest, place: string | undefined): void {
    if (!isAnonymous(request)) return
    if (place === undefined || !isAllowed(this.rules, request.method, place)) throw new UnauthorizedError()
  }
}
