import { validateHeaderName, validateHeaderValue } from 'node:http'

/** They say where a response ends, which only Node can know. */
export const FRAMING_HEADERS = ['connection', 'content-length', 'trailer', 'transfer-encoding']

/**
 * Whether somebody else may add a header to a response: Node can send it, and the response ends where it
 * would without it.
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
