import { isRecord } from './is-record'

/**
 * What JSON holds of a record.
 *
 * @param replace gives what stands in the place of a value, or undefined to leave it out, as that of `JSON.stringify`
 */
export function jsonCopy(
  record: Readonly<Record<string, unknown>>,
  replace: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  const copy = JSON.parse(JSON.stringify(record, replace))
  return isRecord(copy) ? copy : {}
}
