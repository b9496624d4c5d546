import { isRecord } from '../is-record'

/** Gives a response with a token to a user; without one to who has none. */
export type TokenResponse = (token: string | undefined, user?: object) => unknown

/** Stands for a token in a sample of the response. */
const MARK = '<a token>'

/**
 * The fields of a login's response that lead to the token, or a text that holds it: none where the whole response is one.
 *
 * @param respond default: as specified
 * @returns undefined where the response has no token, because that is in a cookie alone
 */
export function tokenFields(
  respond: TokenResponse = (token) => ({ access_token: token }),
): string[] | undefined {
  return fieldsTo(MARK, respond(MARK))
}

function fieldsTo(text: string, value: unknown): string[] | undefined {
  if (typeof value === 'string' && value.includes(text)) return []
  if (!Array.isArray(value) && !isRecord(value)) return undefined
  for (const [name, part] of Object.entries(value)) {
    const fields = fieldsTo(text, part)
    if (fields !== undefined) return [name, ...fields]
  }
  return undefined
}
