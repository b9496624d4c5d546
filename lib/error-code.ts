import { isRecord } from './is-record'

/**
 * The code of a Node error, such as `ENOENT`. Not by `instanceof Error`: in a test runner Node's errors come
 * from another realm than ours.
 */
export function errorCode(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined
}

/** The first line of an error's message. */
export function errorMessage(error: unknown): string {
  const message = isRecord(error) && 'message' in error ? error.message : error
  return String(message).split('\n')[0] ?? ''
}
