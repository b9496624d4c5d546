import { isRecord } from './is-record'

/**
 * The code of a Node error, such as `ENOENT`. `instanceof Error` cannot tell one: in a test runner, Node's
 * errors come from another realm than ours.
 *
 * @returns undefined for a value without a code
 */
export function errorCode(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined
}

/** The first line of an error's message. */
export function errorMessage(error: unknown): string {
  const message = isRecord(error) && 'message' in error ? error.message : error
  return String(message).split('\n')[0] ?? ''
}
