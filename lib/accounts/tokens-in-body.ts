import { possibleTokens } from '../auth/access-token'
import { isRecord } from '../is-record'

/** The tokens in a body, whatever their fields are called. */
export function tokensInBody(body: unknown): string[] {
  return possibleTokens(isRecord(body) ? Object.values(body) : [body])
}

/** Whether a body asks for a refresh (RFC 6749 section 6): it says so, or has a token and does not say what it is. */
export function asksForRefresh(body: unknown): boolean {
  const grant = isRecord(body) ? body.grant_type : undefined
  return grant === undefined ? tokensInBody(body).length > 0 : grant === 'refresh_token'
}
