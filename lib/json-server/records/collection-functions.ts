import type { Mixins } from 'json-server'
import { HttpError } from '../../errors'
import type { StoredRecord } from './collection-scan'
import type { Collections } from './collections'
import { removal } from './removal'

/**
 * The router's operations on collections, in place of lodash-id's and json-server's mixins, which crash or
 * corrupt data (a missing foreign key, a duplicate id, a DELETE that also deletes unrelated records).
 *
 * Each change is prepared first and made at the end, so that an error leaves everything as it was. A record
 * never changes: a new one replaces it, so that its text and the responses that hold it stay the same.
 *
 * @param foreignKeySuffix what ends the name of a foreign key
 * @returns the functions by the names under which the router's lodash calls them
 */
export function collectionFunctions(
  collections: Collections,
  foreignKeySuffix: string,
): Omit<Mixins, 'filter' | 'orderBy'> {
  function insert(collection: unknown[], record: StoredRecord): StoredRecord {
    const name = collections.idProperty()
    const id = record[name]
    if (id && collections.find(collection, id) !== undefined)
      throw new HttpError({
        status: 409,
        message: `A record with the ${name} ${JSON.stringify(id)} already exists.`,
      })
    record[name] = id || collections.newId(collection)
    collection.push(record)
    collections.indexOf(collection)?.added(record)
    return record
  }

  function updateById(collection: unknown[], id: unknown, changes: StoredRecord) {
    return replaceById(collection, id, { ...collections.find(collection, id), ...changes })
  }

  function replaceById(collection: unknown[], id: unknown, content: StoredRecord) {
    const record = collections.find(collection, id)
    if (record === undefined) return undefined
    const replacement = { ...content, [collections.idProperty()]: record[collections.idProperty()] }
    Object.setPrototypeOf(replacement, Object.getPrototypeOf(record))
    // Throws, before anything has changed, when the record could not be sent.
    JSON.stringify(replacement)
    collection[collection.indexOf(record)] = replacement
    collections.indexOf(collection)?.replaced(replacement)
    return replacement
  }

  return {
    getById: (collection, id) => collections.find(collection, id),
    createId: (collection) => collections.newId(collection),
    insert,
    updateById,
    replaceById,
    removeById: removal(collections, foreignKeySuffix),
    // For a singular resource, which the router changes in place.
    assign: (resource, changes) => Object.assign(resource, changes),
    // `removeById` has removed them already.
    getRemovable: () => [],
  }
}
