import type { Data } from '../../data/valid-data'
import { isRecord } from '../../is-record'

/** What has become of a record. */
interface Change {
  readonly kind: 'created' | 'updated' | 'deleted'
  readonly record: unknown
}

/**
 * How what a GET gives has changed: a list, a record, or nothing. The order of a list does not count.
 *
 * @returns undefined where records do not tell it, because they have no ids, or share one, or a list has become an object
 */
export function changesBetween(before: unknown, after: unknown, idProperty: string): Change[] | undefined {
  if (before === after) return []
  const hasOtherForm =
    before !== undefined && after !== undefined && Array.isArray(before) !== Array.isArray(after)
  if (hasOtherForm) return undefined
  const [was, is] = withoutSame(elementsOf(before), elementsOf(after))
  const left = byId(was, idProperty)
  const present = byId(is, idProperty)
  if (left === undefined || present === undefined) return isSameText(before, after) ? [] : undefined
  const changes: Change[] = []
  for (const [id, record] of present) {
    if (!left.has(id)) changes.push({ kind: 'created', record })
    else if (!isSameText(left.get(id), record)) changes.push({ kind: 'updated', record })
    left.delete(id)
  }
  return [...Array.from(left.values(), (record): Change => ({ kind: 'deleted', record })), ...changes]
}

/**
 * The same of all data, where each record is the only one in an object of the form of the whole: `{"posts": {...}}`.
 *
 * @returns undefined also where a resource has come or gone
 */
export function changesOfAll(before: Data, after: Data, idProperty: string): Change[] | undefined {
  const names = Object.keys(after)
  if (names.length !== Object.keys(before).length) return undefined
  const all: Change[] = []
  for (const name of names) {
    const changes = Object.hasOwn(before, name)
      ? changesBetween(before[name], after[name], idProperty)
      : undefined
    if (changes === undefined) return undefined
    for (const { kind, record } of changes) all.push({ kind, record: { [name]: record } })
  }
  return all
}

/** A single record is a list of one. */
function elementsOf(resource: unknown): readonly unknown[] {
  if (Array.isArray(resource)) return resource
  return resource === undefined ? [] : [resource]
}

/** What lies between the beginning and the end that two lists have in common: of most changes, that is one record. */
function withoutSame(before: readonly unknown[], after: readonly unknown[]) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const
}

/** Records by their ids; undefined where one has none, or that of another. */
function byId(records: readonly unknown[], idProperty: string): Map<unknown, unknown> | undefined {
  const found = new Map<unknown, unknown>()
  for (const record of records) {
    const id = isRecord(record) ? record[idProperty] : undefined
    if ((typeof id !== 'string' && typeof id !== 'number') || found.has(id)) return undefined
    found.set(id, record)
  }
  return found
}

/** Relations and files are read into other objects each time. */
function isSameText(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
