import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/why-missing'

/** What is unusual about the data, a sentence each: what cannot be reached, or only in part. */
export function dataWarnings(state: Data, source: string, idProperty: string): string[] {
  if (Object.keys(state).every((name) => name === '$schema'))
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  const warnings: string[] = []
  for (const [name, resource] of Object.entries(state)) {
    if (!hasAddress(name))
      warnings.push(`No address leads to "${name}" in ${source}: give it a name without such characters.`)
    const id = Array.isArray(resource) ? repeatedId(resource, idProperty) : undefined
    if (id !== undefined)
      warnings.push(
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(id)}: ` +
          'only the first of them can be read, changed or deleted by it.',
      )
  }
  return warnings
}

/** The first id that a record before has, too. */
function repeatedId(records: readonly unknown[], idProperty: string): unknown {
  const known = new Set<string>()
  for (const record of records) {
    const id = isRecord(record) ? record[idProperty] : undefined
    if (typeof id !== 'string' && typeof id !== 'number') continue
    // json-server compares ids as strings.
    if (known.has(String(id))) return id
    known.add(String(id))
  }
  return undefined
}
