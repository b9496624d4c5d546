/** Whether a value is an object that JSON writes with braces: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can be called. */
export function isFunction(value: unknown): value is (...values: unknown[]) => unknown {
  return typeof value === 'function'
}

/** Whether an object says itself what JSON holds of it, which may leave out what is in it. */
export function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && isFunction(value.toJSON)
}

/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
