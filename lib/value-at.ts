import { isRecord } from './is-record'

/** The value that a path of own fields leads to; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, field) => (isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined),
    value,
  )
}

/** A copy of an object without the field at a path. */
export function withoutValueAt(
  object: object,
  [field = '', ...rest]: readonly string[],
): Record<string, unknown> {
  const { [field]: inner, ...others }: Record<string, unknown> = { ...object }
  return rest.length > 0 && isRecord(inner) ? { ...others, [field]: withoutValueAt(inner, rest) } : others
}

/** A copy of an object with another value at a path; what is no object on the way to it becomes one. */
export function withValueAt(
  object: object,
  [field, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (field === undefined) return { ...object }
  const inner = valueAt(object, [field])
  return {
    ...object,
    [field]: rest.length === 0 ? value : withValueAt(isRecord(inner) ? inner : {}, rest, value),
  }
}
