/**
 * The code of a Node error, such as `ENOENT`. Not by `instanceof Error`: in a test runner Node's errors come from another
 * realm than ours.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** What an error says of itself, in its first line. */
export function errorMessage(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  return message.split('\n')[0] ?? ''
}
