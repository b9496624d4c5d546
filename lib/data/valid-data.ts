import { hasToJson, isObject, isRecord } from '../is-record'

/** The data that is served: collections (arrays) and singular resources (objects) by name. */
export type Data = Record<string, unknown>

/** The names of all resources: `$schema` is for editors. */
export function resourceNames(data: Data): string[] {
  return Object.keys(data).filter((name) => name !== '$schema')
}

/** A collection, or undefined where the data has none of this name. */
export function collectionIn(data: Data, name: string): readonly unknown[] | undefined {
  const records = data[name]
  return Array.isArray(records) ? records : undefined
}

/** Data that cannot be served. The message is one sentence for the person who wrote it. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** A text that is empty: somebody may be about to fill it. */
export class EmptyError extends DataError {}

/**
 * Checks that json-server can serve the data.
 *
 * @param value what a source gave
 * @param origin names the source at the start of an error's sentence
 * @throws DataError when it is not an object of arrays and objects, or a name cannot be part of a path
 */
export function validData(value: unknown, origin: string): Data {
  if (Array.isArray(value))
    throw new DataError(
      `${origin} must be an object of collections, for instance {"data": [...]}, but it is an array.`,
    )
  if (!isRecord(value) || !isPlain(value))
    throw new DataError(`${origin} must be an object of collections, but it is ${kindOf(value)}.`)
  for (const name of resourceNames(value)) {
    if (name.includes('/'))
      throw new DataError(
        `${origin} has a collection named "${name}": a name cannot hold a slash. A rewrite rule can.`,
      )
    const resource = value[name]
    if (!isServable(resource))
      throw new DataError(
        `${origin} has "${name}", which is ${kindOf(resource)}: it must be an array or an object.`,
      )
  }
  return value
}

/**
 * Checks that json-server can serve one resource.
 *
 * @param origin names its source at the start of an error's sentence
 * @throws DataError when it is neither an array nor an object
 */
export function validResource(resource: unknown, origin: string): unknown {
  if (isServable(resource)) return resource
  throw new DataError(`${origin} must be a list or an object, but it is ${kindOf(resource)}.`)
}

/** Whether a resource is an array or an object, in the text of the data as well: a Date is a string there. */
function isServable(resource: unknown): boolean {
  const written = isObject(resource) && hasToJson(resource) ? resource.toJSON() : resource
  return [resource, written].every((value) => Array.isArray(value) || isRecord(value))
}

/**
 * Whether it is an object as JSON has them. Its prototype may be that of another realm, as in a test runner.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** What a value is, in a sentence: `a Promise`, for instance, of which JSON makes an empty object. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return `a ${value.constructor.name}`
  return `a ${typeof value}`
}
