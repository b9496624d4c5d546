import { isRecord } from '../is-record'

/** Characters of an id: each can take nine in a URL, and Node reads no URL of more than 16 kB. */
export const LONGEST_ID = 1000

/** An unpaired surrogate, which a URL cannot hold. */
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Whether an address leads to a resource. None leads to `ユーザー` or `my posts`, because json-server compares
 * a name with the path as it was sent, encoded: the start warns of such a collection, and does not print an
 * address that would respond with 404.
 */
export function hasAddress(name: string): boolean {
  return /^[!-~]*$/.test(name) && !/[#%?]|^\.{1,2}$/.test(name)
}

/** Whether a URL can lead to a record with this id. */
export function hasUrl(id: unknown): id is string | number {
  return typeof id === 'number'
    ? Math.abs(id) <= Number.MAX_SAFE_INTEGER
    : typeof id === 'string' && id !== '' && id.length <= LONGEST_ID && !LONE_SURROGATE.test(id)
}

/** A record's id, or undefined where it has none that a URL leads to. */
export function idOf(record: unknown, idProperty: string): string | number | undefined {
  const id = isRecord(record) ? record[idProperty] : undefined
  return hasUrl(id) ? id : undefined
}
