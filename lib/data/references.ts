import pluralize from 'pluralize'
import { isObject, isRecord } from '../is-record'

/**
 * Whether a field refers to a collection by json-server's convention: with the suffix `Id`, `postId` refers to `posts`.
 */
export function isReferenceTo(collection: string, suffix: string): (field: string) => boolean {
  // Finding a plural takes 2 us, and each record may have the same field.
  const known = new Map<string, boolean>()
  return (field) => {
    if (!field.endsWith(suffix)) return false
    let isReference = known.get(field)
    if (isReference === undefined) {
      isReference = pluralize.plural(field.slice(0, field.length - suffix.length)) === collection
      known.set(field, isReference)
    }
    return isReference
  }
}

/**
 * Whether a record refers to another one.
 *
 * @param collection of the record that is referred to
 * @param id of that record, as text
 */
export function refersTo(collection: string, id: string, suffix: string): (record: unknown) => boolean {
  const isReference = isReferenceTo(collection, suffix)
  return (record) => {
    if (!isRecord(record)) return false
    for (const key in record)
      if (isReference(key) && !isObject(record[key]) && String(record[key]) === id) return true
    return false
  }
}

/** Whether a field may hold a list of ids of a collection: `tagIds`, or `tagId`. */
export function isListReferenceTo(collection: string, suffix: string): (field: string) => boolean {
  const isReference = isReferenceTo(collection, suffix)
  return (field) => isReference(field) || (field.endsWith('s') && isReference(field.slice(0, -1)))
}

/** Whether a record has the id of another one in a list; parameters as those of {@link refersTo}. */
export function listsId(collection: string, id: string, suffix: string): (record: unknown) => boolean {
  const isReference = isListReferenceTo(collection, suffix)
  return (record) =>
    isRecord(record) &&
    Object.entries(record).some(
      ([key, ids]) =>
        Array.isArray(ids) && isReference(key) && ids.some((one) => !isObject(one) && String(one) === id),
    )
}
