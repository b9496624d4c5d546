import { isRecord } from '../is-record'
import type { AccountRoute } from './account-route'

/** Stands for a token in a sample of the response. */
const MARK = '<a token>'

/**
 * The fields of a login's response that lead to the token, or a text that holds it: none where the whole response is one.
 *
 * @returns undefined where the response has no token, because that is in a cookie alone
 */
export function tokenFields({
  response = (token) => ({ access_token: token }),
}: AccountRoute): string[] | undefined {
  return fieldsTo(MARK, response(MARK))
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
