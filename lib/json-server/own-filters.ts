import { isObject } from '../is-record'
import { hasField } from './collection-index'
import { lodash } from './lodash'

/** Whether a record is left in a list. */
export type Filter = (record: unknown) => boolean

/**
 * The filters that json-server does not have: `tags_has=1` finds an element of a list, `date_is=null` and
 * `date_is=set` tell whether there is a value. json-server ignores such a name, and where a record has a field of this
 * whole name, it is an ordinary filter.
 *
 * @param values of the parameter: a record must have all of these elements
 * @returns undefined for any other parameter, and where no record has such a field, or a list in it
 * @see https://github.com/typicode/json-server/issues/366
 * @see https://github.com/typicode/json-server/issues/1252
 */
export function ownFilter(
  parameter: string,
  values: readonly unknown[],
  collection: readonly unknown[],
): Filter | undefined {
  const [, field = '', operator] = /^(.+)_(has|is)$/s.exec(parameter) ?? []
  const valueIn = (record: unknown): unknown => lodash().get(record, field)
  if (operator === 'has' && hasList(collection, field))
    return (record) => {
      const list = valueIn(record)
      return Array.isArray(list) && values.every((value) => list.some((element) => isText(element, value)))
    }
  const [value] = values
  if (operator === 'is' && (value === 'null' || value === 'set') && hasField(collection, field))
    return (record) => ((valueIn(record) ?? undefined) === undefined) === (value === 'null')
  return undefined
}

/** Whether a record of a collection has a list in a field, which may be a path. */
export function hasList(collection: readonly unknown[], field: string): boolean {
  return collection.some((record) => Array.isArray(lodash().get(record, field)))
}

/** json-server compares a value as its text, and null with nothing. */
function isText(element: unknown, value: unknown): boolean {
  return element !== null && !isObject(element) && String(element) === value
}
