import { isRecord } from '../is-record'
import { hasUrl } from './guards'

/** A record's id, or undefined where it has none that a URL leads to. */
export function idOf(record: unknown, idProperty: string): string | number | undefined {
  const id = isRecord(record) ? record[idProperty] : undefined
  return hasUrl(id) ? id : undefined
}
