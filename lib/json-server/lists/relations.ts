import type { Request, RequestHandler } from 'express'
import type { Database, Mixins } from 'json-server'
import pluralize from 'pluralize'
import type { Data } from '../../data/valid-data'
import { isObject, isRecord } from '../../is-record'
import type { Collections } from '../records/collections'
import { countResponse } from './count-response'

export interface RelationsOptions {
  /** The data as it is now. */
  state: () => Data
  /** What ends the name of a foreign key. */
  foreignKeySuffix: string
  /** lodash's function: json-server treats the name of a relation as a path. */
  get: Database['_']['get']
  filter: Mixins['filter']
  finder: Collections['finder']
}

/** Gives the value that one relation adds to a record. */
type Relation = (record: Record<string, unknown>) => unknown

/**
 * `_embed` and `_expand` of a list. json-server walks the other collection once for each record; this walks
 * it once for each relation, in one tick, so that nothing can change it meanwhile.
 */
export function relations({ state, foreignKeySuffix, get, filter, finder }: RelationsOptions) {
  /** Finds the records that refer to one of these by this key. */
  function embed(name: string, key: string, list: readonly unknown[]): Relation {
    const { groups, rest } = groupBy(get(state(), name), key, list)
    return ({ id }) => {
      if (!isComparable(id)) return rest.length === 0 ? [] : filter(rest, { [key]: id })
      return groups.get(id) ?? []
    }
  }

  /** Finds the record to which a record refers; undefined if the name is not that of a collection. */
  function expand(name: string): Relation | undefined {
    const collection = get(state(), pluralize(name))
    if (!collection) return undefined
    const find = finder(collection)
    return (record) => find(record[`${name}${foreignKeySuffix}`])
  }

  /** @throws HttpError 400 when the response would be too large */
  function addRelations(list: unknown, collection: string, embedded: string[], expanded: string[]): void {
    if (!Array.isArray(list)) return
    const key = `${pluralize.singular(collection)}${foreignKeySuffix}`
    const added: [name: string, relation: Relation][] = []
    for (const name of embedded) {
      const [, known] = added.find(([other]) => other === name) ?? []
      added.push([name, known ?? embed(name, key, list)])
    }
    for (const name of expanded) {
      const relation = expand(name)
      if (relation !== undefined) added.push([name, relation])
    }
    const count = countResponse()
    for (const record of list) {
      if (!isRecord(record)) continue
      for (const [name, relation] of added) {
        record[name] = relation(record)
        count(record[name])
      }
    }
  }

  /**
   * @param list json-server's handler, which gives clones of the records
   * @param collection the name of the collection that it lists
   */
  return function withRelations(list: RequestHandler, collection: string): RequestHandler {
    return function listWithRelations(request, response, next) {
      const [embedded, expanded] = [take(request.query, '_embed'), take(request.query, '_expand')]
      list(request, response, () => {
        addRelations(response.locals.data, collection, embedded, expanded)
        next()
      })
    }
  }
}

/** Takes a parameter out of a query, so that json-server does not see it. */
function take(query: Request['query'], name: string): string[] {
  const value = query[name]
  delete query[name]
  // An empty string is not a relation, but a list that holds one is.
  return value ? [value].flat().filter((given) => typeof given === 'string') : []
}

/**
 * The records that refer to those of the list, by their value at a key; lodash compares the records whose
 * value is an object by its content.
 */
function groupBy(collection: unknown, key: string, list: readonly unknown[]) {
  const groups = new Map<unknown, unknown[]>()
  for (const record of list) if (isRecord(record)) groups.set(record.id, [])
  const rest: unknown[] = []
  for (const record of Array.isArray(collection) ? collection : []) {
    const fields = Object(record)
    // A missing field is not the same as one that is undefined.
    if (!(key in fields)) continue
    const value: unknown = fields[key]
    if (isComparable(value)) groups.get(value)?.push(record)
    else rest.push(record)
  }
  return { groups, rest }
}

/** Whether lodash compares a value by `===` alone. */
function isComparable(value: unknown): boolean {
  return !isObject(value) && !Number.isNaN(value)
}
