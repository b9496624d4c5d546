import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'
import type { HeapSize } from './memory/heap-size'
import { resourceSize } from './memory/resource-size'

/** Makes copies of the data as it was loaded: the data itself is changed in place. */
export class LoadedData {
  readonly #resources: ReadonlyMap<string, { size: number; copy: () => unknown }>

  constructor(data: Data, heap: HeapSize) {
    const resources = Object.entries(data).map(
      ([name, resource]) => [name, { size: resourceSize(heap, resource), copy: copier(resource) }] as const,
    )
    this.#resources = new Map(resources)
  }

  has(name: string): boolean {
    return this.#resources.has(name)
  }

  copy(name: string): unknown {
    return this.#resources.get(name)?.copy()
  }

  /** The most memory that a copy without these resources can take, in bytes. */
  sizeWithout(others: Data): number {
    let size = 0
    for (const [name, resource] of this.#resources) if (!Object.hasOwn(others, name)) size += resource.size
    return size
  }

  /** A copy in which these resources replace those of the same name. */
  copyWith(others: Data): Data {
    const names = [...this.#resources.keys()]
    const copies = names.map((name) => [name, Object.hasOwn(others, name) ? others[name] : this.copy(name)])
    return { ...Object.fromEntries(copies), ...others }
  }
}

/**
 * JSON takes the least memory. A value that JSON cannot hold, such as a Date from a `.js` source, is copied
 * as it is.
 */
function copier(value: unknown): () => unknown {
  if (!isJson(value)) {
    const kept = copyOf(value)
    return () => copyOf(kept)
  }
  const text = JSON.stringify(value)
  return () => JSON.parse(text)
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson)
  if (isPlain(value)) return Object.values(value).every(isJson)
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (value instanceof Date) return new Date(value)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item)]))
}

/** Instances of classes keep their methods, and functions their scope, only if they are not copied. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
