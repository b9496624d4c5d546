import { isObject } from '../is-record'
import { hasField } from './collection-index'
import { lodash } from './lodash'
import { checkValues, type Query } from './query-checks'

/** Whether a record is left in a list. */
export type OwnFilter = (record: unknown) => boolean

/** What comes after the name of a field, and an underscore. */
interface OwnOperator {
  /** Whether it says something about a field, which may be a path. */
  isFor: (collection: readonly unknown[], field: string) => boolean
  /** Tells whether a value of the field holds; undefined for what cannot be asked. */
  test: (asked: readonly string[]) => ((value: unknown) => boolean) | undefined
}

/** The filters that json-server does not have. */
const OWN_OPERATORS: ReadonlyMap<string, OwnOperator> = new Map([
  [
    'has',
    {
      isFor: hasList,
      test: (asked) => (list) =>
        Array.isArray(list) && asked.every((value) => list.some((element) => equalsText(element, value))),
    },
  ],
  [
    'is',
    {
      isFor: hasField,
      test: (asked) => {
        if (!asked.every((state) => state === 'null' || state === 'set')) return undefined
        return (value) => asked.every((state) => ((value ?? undefined) === undefined) === (state === 'null'))
      },
    },
  ],
  ['gt', { isFor: hasField, test: (asked) => (value) => asked.some((limit) => isLess(limit, value)) }],
  ['lt', { isFor: hasField, test: (asked) => (value) => asked.some((limit) => isLess(value, limit)) }],
])

/**
 * The filters that json-server does not have: `tags_has=1` finds an element of a list, `date_is=null` and
 * `date_is=set` tell whether there is a value, `views_gt=3` and `views_lt=3` compare as `_gte` and `_lte` do. json-server
 * ignores such a name, and where a record has a field of this whole name, it is an ordinary filter.
 *
 * @returns undefined for any other parameter, and where no record has such a field, or a list in it
 * @throws HttpError 400 for an object as a value
 * @see https://github.com/typicode/json-server/issues/366
 * @see https://github.com/typicode/json-server/issues/1252
 */
export function ownFilter(
  parameter: string,
  query: Query,
  collection: readonly unknown[],
): OwnFilter | undefined {
  const [, field = '', name = ''] = /^(.+)_([a-z]+)$/s.exec(parameter) ?? []
  const operator = OWN_OPERATORS.get(name)
  if (!operator?.isFor(collection, field)) return undefined
  checkValues(query, parameter)
  const holds = operator.test([query[parameter]].flat().map(String))
  return holds && ((record) => holds(lodash().get(record, field)))
}

/** Whether a record of a collection has a list in a field, which may be a path. */
export function hasList(collection: readonly unknown[], field: string): boolean {
  return collection.some((record) => Array.isArray(lodash().get(record, field)))
}

/** json-server compares a value as its text, and null with nothing. */
function equalsText(element: unknown, value: string): boolean {
  return element !== null && !isObject(element) && String(element) === value
}

/** As JavaScript compares the two, of which one is a text: in `_gte`, json-server does. */
function isLess(one: unknown, other: unknown): boolean {
  if ([one, other].some((value) => value === undefined || value === null || isObject(value))) return false
  return typeof one === 'string' && typeof other === 'string' ? one < other : Number(one) < Number(other)
}
