import { resourceNames } from '../../data/valid-data'
import { isRecord } from '../../is-record'
import { idOf, resourcePath } from '../../json-server/addresses'
import type { Warnings } from './sentences'

/** What cannot be reached in the data, or only in part. */
export const lostRecords: Warnings = ({ settings: { idProperty }, state }) =>
  resourceNames(state).flatMap((name) => aboutRecords(name, state[name], idProperty))

/** What cannot be reached in a resource, or only in part. */
function aboutRecords(name: string, content: unknown, idProperty: string): (string | false)[] {
  if (resourcePath(name) === undefined) return [`No address leads to "${name}": give it another name.`]
  const records = Array.isArray(content) ? content.filter(isRecord) : []
  let lost = 0
  let inexact: number | undefined
  let repeated: unknown
  const known = new Set<string | number>()
  for (const record of records) {
    const id = idOf(record, idProperty)
    const found = record[idProperty]
    if (id === undefined && typeof found === 'number') inexact ??= found
    else if (id === undefined) lost += 1
    // json-server compares ids as strings. The set does not grow by one that it has, and takes numbers in half the time.
    else if (known.size === known.add(isNumeral(id) ? Number(id) : id).size) repeated ??= id
  }
  return [
    lost > 0 &&
      `"${name}" has records without ${idProperty} (${lost} of ${records.length}), to which no address leads: give ` +
        'each one, or name their own by --id.',
    inexact !== undefined &&
      `"${name}" has the ${idProperty} ${inexact}, to which no address leads, because numbers over ` +
        `${Number.MAX_SAFE_INTEGER} are not exact: write it as a text, in quotes.`,
    repeated !== undefined &&
      `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
        'only the first of them can be read, changed or deleted by it.',
  ]
}

/** Whether a text is how JavaScript writes a number. */
function isNumeral(id: string | number): boolean {
  return typeof id === 'string' && String(Number(id)) === id
}
