import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/why-missing'

/** What is unusual about the data, a sentence each: what cannot be reached, or only in part. */
export function dataWarnings(state: Data, source: string, idProperty: string): string[] {
  const names = resourceNames(state)
  if (names.length === 0)
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  const warnings: string[] = []
  for (const name of names) {
    if (!hasAddress(name))
      warnings.push(`No address leads to "${name}" in ${source}: give it a name without such characters.`)
    const known = new Set<string>()
    // json-server compares ids as strings. The set does not grow by one that it has.
    const repeated = idsIn(state[name], idProperty).find((id) => known.size === known.add(String(id)).size)
    if (repeated !== undefined)
      warnings.push(
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
          'only the first of them can be read, changed or deleted by it.',
      )
  }
  return warnings
}

/** The ids of a collection's records, or of a singular resource. */
export function idsIn(resource: unknown, idProperty: string): (string | number)[] {
  return [resource]
    .flat()
    .map((record) => (isRecord(record) ? record[idProperty] : undefined))
    .filter((id) => typeof id === 'string' || typeof id === 'number')
}
