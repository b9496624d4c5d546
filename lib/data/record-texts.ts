import { isObject } from '../is-record'

/** As many records as a page may have: the texts of longer lists would only drive each other out. */
const LONGEST_PAGE = 1_000

/** How many characters are kept, for all servers in the process together. */
const MOST_KEPT = 16_000_000

let texts = new WeakMap<object, string>()
let kept = 0

/**
 * The bytes of `JSON.stringify(records, null, 2)`, without serialising a record again that has not changed.
 *
 * @param records none of which ever changes: a changed one is another object in its place
 * @returns undefined for a list that is longer than a page
 */
export function textOfPage(records: readonly unknown[]): string | undefined {
  if (records.length === 0 || records.length > LONGEST_PAGE) return undefined
  return `[\n${records.map(textOfRecord).join(',\n')}\n]`
}

function textOfRecord(record: unknown): string {
  if (!isObject(record)) return serialise(record)
  const known = texts.get(record)
  if (known !== undefined) return known
  const text = serialise(record)
  kept += text.length
  if (kept > MOST_KEPT) {
    texts = new WeakMap()
    kept = text.length
  }
  texts.set(record, text)
  return text
}

/** A value as it stands in a list. */
function serialise(value: unknown): string {
  return JSON.stringify([value], null, 2).slice('[\n'.length, -'\n]'.length)
}
