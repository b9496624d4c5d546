/** Whether a value is an object that is neither null nor an array: what JSON writes with braces. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
