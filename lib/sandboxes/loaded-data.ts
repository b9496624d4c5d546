import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'
import type { HeapSize } from './memory/heap-size'
import { resourceSize } from './memory/resource-size'

/** The data as it was loaded, for as many copies as are asked for: the data itself is changed in place. */
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

  /** What a copy without these resources takes in memory at most, in bytes. */
  sizeWithout(others: Data): number {
    let size = 0
    for (const [name, resource] of this.#resources) if (!Object.hasOwn(others, name)) size += resource.size
    return size
  }

  /** A copy in which these resources take the place of those of the same name. */
  copyWith(others: Data): Data {
    const names = [...this.#resources.keys()]
    const copies = names.map((name) => [name, Object.hasOwn(others, name) ? others[name] : this.copy(name)])
    return { ...Object.fromEntries(copies), ...others }
  }
}

/**
 * JSON takes the least memory. What it cannot hold, such as a Date from a `.js` source, is copied as it is.
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

/** Objects of classes keep their methods, and functions their scope, only where they are not copied. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
