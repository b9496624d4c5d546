import { validateHeaderName, validateHeaderValue } from 'node:http'

/** These headers say where a response ends, which only Node can know. */
export const FRAMING_HEADERS = ['connection', 'content-length', 'trailer', 'transfer-encoding']

/**
 * Whether code that is not ours may add a header to a response: Node can send it, and it does not change
 * where the response ends.
 */
export function isSendable(name: string, value: unknown): value is string | number {
  if (FRAMING_HEADERS.includes(name.toLowerCase())) return false
  if (typeof value !== 'string' && typeof value !== 'number') return false
  try {
    validateHeaderName(name)
    validateHeaderValue(name, String(value))
    return true
  } catch {
    return false
  }
}
