import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../is-record'
import { copyOf } from './copy-of'
import type { Data } from './valid-data'

/** A state that other code changes by hand, and the values that it was and is: what is saved never changes. */
export class ChangedByHand {
  /** What each object was when it was last made or looked at. */
  readonly #values = new WeakMap<object, unknown>()

  /** Objects that may be changed by hand, for a value. */
  copyOf(value: Data): Data {
    const copy = copyOf(value)
    for (const name of Object.keys(copy)) {
      const [values, copies] = [partsOf(value[name]), partsOf(copy[name])]
      for (const [index, part] of copies.entries()) if (isObject(part)) this.#values.set(part, values[index])
    }
    return copy
  }

  /**
   * What such objects are now.
   *
   * @param before what they were when they were last saved: what is unchanged is the same object
   */
  valueOf(state: Data, before: Data): Data {
    const valueOfResource = (name: string, resource: unknown): unknown => {
      if (!Array.isArray(resource)) return this.#valueOf(resource)
      const value = resource.map((record) => this.#valueOf(record))
      const last = before[name]
      const isUnchanged =
        Array.isArray(last) && last.length === value.length && value.every((record, i) => record === last[i])
      return isUnchanged ? last : value
    }
    return Object.fromEntries(
      Object.entries(state).map(([name, resource]) => [name, valueOfResource(name, resource)]),
    )
  }

  #valueOf(part: unknown): unknown {
    if (!isObject(part)) return part
    const known = this.#values.get(part)
    if (isDeepStrictEqual(known, part)) return known
    const value = copyOf(part)
    this.#values.set(part, value)
    return value
  }
}

/** The records of a collection, or a singular resource. */
function partsOf(resource: unknown): readonly unknown[] {
  return Array.isArray(resource) ? resource : [resource]
}
