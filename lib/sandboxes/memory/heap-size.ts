import { isRecord } from '../../is-record'

/**
 * The most memory that values can take, in bytes, as V8 lays them out in Node 20 to 24: an object without
 * fields, an array with its spare room, each element, a number that is not a small integer, and a string
 * without its characters.
 */
const [OBJECT, ARRAY, SLOT, NUMBER, STRING] = [64, 80, 8, 16, 24]

/**
 * A field of an object that shares its keys with no other: its place in a hash table, or a hidden class, and
 * the string of its name.
 */
const OWN_KEY = 128

/**
 * How many orders of keys objects share: V8 stops sharing them after about 1,500 that begin in the same way.
 */
const MOST_SHAPES = 1000

/**
 * The most keys, and the longest, that are shared: V8 uses a hash table for an object with more than 128
 * keys.
 */
const [MOST_KEYS, LONGEST_KEY] = [100, 100]

/** Names that V8 stores as elements of an object, and not among its fields. */
const INDEX = /^\d+$/

const WIDE = /[^\0-\xff]/

/** How many bytes a string takes. */
export function textSize(text: string): number {
  return STRING + text.length * (WIDE.test(text) ? 2 : 1)
}

interface Shape extends Map<string, Shape> {}

/**
 * Bounds the memory of JSON values. Objects with the same keys in the same order share these, as in V8, as
 * long as one instance has seen few such orders.
 */
export class HeapSize {
  readonly #shapes: Shape = new Map()
  #count = 0

  /** How many bytes a value takes at most. */
  of(value: unknown): number {
    if (typeof value === 'string') return textSize(value)
    if (Array.isArray(value)) {
      let size = ARRAY
      for (const item of value) size += SLOT + this.of(item)
      return size
    }
    if (!isRecord(value)) return NUMBER
    const keys = Object.keys(value)
    // A parsed form has no prototype, so V8 stores it as a hash table.
    const isShared = Object.getPrototypeOf(value) !== null && this.#isShared(keys)
    let size = OBJECT
    for (const key of keys) size += (isShared ? SLOT : OWN_KEY + 2 * key.length) + this.of(value[key])
    return size
  }

  #isShared(keys: readonly string[]): boolean {
    if (keys.length > MOST_KEYS) return false
    let shape = this.#shapes
    for (const key of keys) {
      let next = shape.get(key)
      if (next === undefined) {
        if (this.#count >= MOST_SHAPES || key.length > LONGEST_KEY || INDEX.test(key)) return false
        this.#count += 1
        next = new Map()
        shape.set(key, next)
      }
      shape = next
    }
    return true
  }
}
