import { isRecord } from '../is-record'

/** A record's id, or undefined where it has none to write in an address. */
export function idOf(record: unknown, idProperty: string): string | number | undefined {
  const id = isRecord(record) ? record[idProperty] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
