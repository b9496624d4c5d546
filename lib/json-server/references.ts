import pluralize from 'pluralize'
import { isObject, isRecord } from '../is-record'
import { lodash } from './lodash'

/**
 * Whether a record refers to another one by json-server's convention: with the suffix `Id`, `postId` refers
 * to the collection `posts`.
 *
 * @param collection of the record that is referred to
 * @param id of that record, as text
 */
export function refersTo(collection: string, id: string, suffix: string): (record: unknown) => boolean {
  // Finding a plural takes 2 us, and each record may have the same field.
  const plural = lodash().memoize((key: string) => pluralize.plural(key.slice(0, key.length - suffix.length)))
  const isReference = (key: string) => key.endsWith(suffix) && plural(key) === collection
  return (record) => {
    if (!isRecord(record)) return false
    for (const key in record)
      if (isReference(key) && !isObject(record[key]) && String(record[key]) === id) return true
    return false
  }
}
