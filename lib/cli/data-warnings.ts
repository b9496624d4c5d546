import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/has-address'

/** What is unusual about the data, a sentence each: what cannot be reached, or only in part. */
export function dataWarnings(state: Data, source: string, idProperty: string): string[] {
  const names = resourceNames(state)
  if (names.length === 0)
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  const warnings: string[] = []
  for (const name of names) {
    if (!hasAddress(name))
      warnings.push(`No address leads to "${name}" in ${source}: give it a name without such characters.`)
    const repeated = firstRepeated(idsIn(state[name], idProperty))
    if (repeated !== undefined)
      warnings.push(
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
          'only the first of them can be read, changed or deleted by it.',
      )
  }
  return warnings
}

/** The first id that an earlier record has as well: json-server compares ids as strings. */
function firstRepeated(ids: readonly (string | number)[]): string | number | undefined {
  const known = new Set<string>()
  for (const id of ids) {
    if (known.has(String(id))) return id
    known.add(String(id))
  }
  return undefined
}

/** The ids of a collection's records, or of a singular resource. */
export function idsIn(resource: unknown, idProperty: string): (string | number)[] {
  return [resource]
    .flat()
    .map((record) => (isRecord(record) ? record[idProperty] : undefined))
    .filter((id) => typeof id === 'string' || typeof id === 'number')
}
