import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress, idOf } from '../json-server/addresses'

/** What is unusual about the data, a sentence each: what cannot be reached, or only in part. */
export function dataWarnings(state: Data, source: string, idProperty: string): string[] {
  const names = resourceNames(state)
  if (names.length === 0)
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  const warnings: string[] = []
  for (const name of names) {
    if (!hasAddress(name))
      warnings.push(`No address leads to "${name}" in ${source}: give it a name without such characters.`)
    const content = state[name]
    const records = Array.isArray(content) ? content.filter(isRecord) : []
    const lost = records.filter((record) => idOf(record, idProperty) === undefined)
    if (lost.length > 0)
      warnings.push(
        `"${name}" has records without ${idProperty} (${lost.length} of ${records.length}), to which no address leads: ` +
          `${idOf(lost[0], '_id') === undefined ? 'give each one' : 'start with --id _id'}.`,
      )
    const repeated = firstRepeated(records, idProperty)
    if (repeated !== undefined)
      warnings.push(
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
          'only the first of them can be read, changed or deleted by it.',
      )
  }
  return warnings
}

/** The first id that an earlier record has as well: json-server compares ids as strings. */
function firstRepeated(records: readonly object[], idProperty: string): string | number | undefined {
  const known = new Set<string>()
  for (const record of records) {
    const id = idOf(record, idProperty)
    if (id === undefined) continue
    if (known.has(String(id))) return id
    known.add(String(id))
  }
  return undefined
}
