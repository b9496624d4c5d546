import type { Data } from './valid-data'

/** A change of one resource, as a value. */
export type Change =
  /** Of a collection: `remove` records from the position `at` on go, and `add` comes in their place. */
  | { name: string; at: number; remove: number; add: readonly unknown[] }
  /** Of a singular resource. */
  | { name: string; content: unknown }

/**
 * Makes a change.
 *
 * @param state is changed in place, and so is the collection
 * @returns the change that takes this one back, as long as there is none after it
 */
export function makeChange(state: Data, change: Change): Change {
  const { name } = change
  const resource = state[name]
  if ('content' in change) {
    state[name] = change.content
    return { name, content: resource }
  }
  if (!Array.isArray(resource)) throw new TypeError(`"${name}" is no collection.`)
  const collection: unknown[] = resource
  const { at, remove, add } = change
  const removed = collection.slice(at, at + remove)
  if (add.length === remove) putAt(collection, at, add)
  else {
    const behind = collection.slice(at + remove)
    collection.length = at
    putAt(collection, at, add)
    putAt(collection, at + add.length, behind)
  }
  return { name, at, remove: add.length, add: removed }
}

/**
 * Puts records into a collection, which grows as far as it must. `splice` takes records as arguments: 120,000
 * of them overflow the stack.
 */
function putAt(collection: unknown[], at: number, records: readonly unknown[]): void {
  records.forEach((record, index) => {
    collection[at + index] = record
  })
}
