import { isRecord } from './is-record'

/** The value that a path of own fields leads to; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, field) => (isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined),
    value,
  )
}
