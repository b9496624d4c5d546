import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'

/** What is unusual about the data, a sentence each: what cannot be reached, or only in part. */
export function dataWarnings(state: Data, source: string, idProperty: string): string[] {
  const resources = Object.entries(state).filter(([name]) => name !== '$schema')
  if (resources.length === 0)
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  return resources.flatMap(([name, resource]) => [
    ...(isReachable(name)
      ? []
      : [
          `No address leads to ${JSON.stringify(name)} in ${source}: give it a name without such characters.`,
        ]),
    ...(Array.isArray(resource) ? repeatedId(name, resource, idProperty) : []),
  ])
}

/** Whether a path can hold a name as it is: Express compares it with the path before anything is decoded. */
function isReachable(name: string): boolean {
  return !/[^!-~]|[#%]|^\.{1,2}$/.test(name)
}

function repeatedId(name: string, records: readonly unknown[], idProperty: string): string[] {
  const known = new Set<string>()
  for (const record of records) {
    const id = isRecord(record) ? record[idProperty] : undefined
    if (typeof id !== 'string' && typeof id !== 'number') continue
    // json-server compares ids as strings.
    if (known.has(String(id)))
      return [
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(id)}: ` +
          'only the first of them can be read, changed or deleted by it.',
      ]
    known.add(String(id))
  }
  return []
}
