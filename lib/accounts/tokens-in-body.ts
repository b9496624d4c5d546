import { possibleTokens } from '../auth/access-token'
import { fieldOf, type PersonFields } from '../auth/person-fields'
import { isRecord } from '../is-record'

/** The tokens in a body, whatever their fields are called. */
export function tokensInBody(body: unknown): string[] {
  return possibleTokens(isRecord(body) ? Object.values(body) : [body])
}

/**
 * Whether a body asks for a refresh (RFC 6749 section 6): it says so, or has a token and does not say what it is. Beside a
 * password, a token is something else, such as the answer to a captcha.
 */
export function asksForRefresh(body: unknown, fields: PersonFields): boolean {
  if (!isRecord(body)) return tokensInBody(body).length > 0
  if (body.grant_type !== undefined) return body.grant_type === 'refresh_token'
  const sent = Object.keys(body).filter((name) => fieldOf(body, name) !== '')
  return fields.clearestPassword(sent) === undefined && tokensInBody(body).length > 0
}
