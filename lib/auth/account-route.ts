/** A route that logs in or out, or says who is logged in: what the document must know of it. */
export interface AccountRoute {
  readonly method: string
  readonly path: string
  readonly does: 'logIn' | 'signUp' | 'refresh' | 'logOut' | 'whoAmI'
  /**
   * Its response with a token to a user, where applications choose what that is. Default: the response is as specified.
   */
  readonly response?: (token: string, user?: object) => unknown
}
