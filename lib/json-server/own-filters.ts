import { listOf, type Schema, TEXT } from '../http/openapi'
import { isObject } from '../is-record'
import { hasField } from './collection-index'
import { derived } from './derived'
import { lodash } from './lodash'
import { checkValues, comparisonOf, isOfJsonServer, type Query } from './query-checks'

/** Asks for the first record of a list, as an object. */
export const ONE = '_one'

/** Whether a record is left in a list. */
export type OwnFilter = (record: unknown) => boolean

/** A field of records, or of the objects in a list, as far as a document knows it. */
interface FilteredField {
  readonly schema: Schema
  /** Whether a record may have no value in it. */
  readonly canLack: boolean
}

/** What comes after the name of a field, and an underscore. */
interface DescribedOperator {
  /** What a document says of the value that is sent; undefined for a field of which there is nothing to ask. */
  readonly asked: (field: FilteredField) => Schema | undefined
  readonly description: string
}

/** Compares a value, as json-server compares a field of a record. */
interface Comparison extends DescribedOperator {
  readonly holds: (value: unknown, asked: string) => boolean
  /** Whether it must hold for no object in a list. Default: it must for one. */
  readonly isUnwanted?: true
}

/** Looks at a whole field, which may be a path. */
interface OwnOperator {
  /** Whether it says something about a field. */
  readonly isFor: (collection: readonly unknown[], field: string) => boolean
  /** Tells whether a value of the field holds; undefined for what cannot be asked. */
  readonly test: (asked: readonly string[]) => ((value: unknown) => boolean) | undefined
}

const EQUALS: Comparison = {
  holds: equalsText,
  asked: ({ schema }) => severalOf(schema),
  description: 'Only records with one of these.',
}

/** How a value is compared: for the objects in a list always here, for a field by json-server where that has the operator. */
const COMPARISONS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['', EQUALS],
  ['ne', { ...EQUALS, isUnwanted: true, description: 'Only records with a value that is none of these.' }],
  [
    'like',
    {
      holds: (value, asked) => isText(value) && new RegExp(asked, 'i').test(String(value)),
      asked: ({ schema }) => (isScalar(schema, ['string']) ? TEXT : undefined),
      description: 'Only records that match this regular expression.',
    },
  ],
  ['gte', comparisonBySize((difference) => difference >= 0, 'this or more')],
  ['lte', comparisonBySize((difference) => difference <= 0, 'this or less')],
  ['gt', comparisonBySize((difference) => difference > 0, 'more than this')],
  ['lt', comparisonBySize((difference) => difference < 0, 'less than this')],
])

/** What is asked of a whole field alone, which json-server does not have. */
const WHOLE_OPERATORS: ReadonlyMap<string, OwnOperator & DescribedOperator> = new Map([
  [
    'has',
    {
      isFor: hasList,
      test: (asked) => (list) =>
        Array.isArray(list) && asked.every((value) => list.some((element) => equalsText(element, value))),
      asked: ({ schema: { items } }) => items && severalOf(items),
      description: 'Only records with all of these in the list.',
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
      asked: ({ canLack }) => (canLack ? { ...TEXT, enum: ['null', 'set'] } : undefined),
      description: 'Only records without a value, or with one.',
    },
  ],
])

/** The operators of a field that json-server does not have. */
const OWN_OPERATORS: ReadonlyMap<string, OwnOperator> = new Map([
  ...WHOLE_OPERATORS,
  ...[...COMPARISONS].flatMap(([name, { holds }]): [string, OwnOperator][] => {
    const test: OwnOperator['test'] = (asked) => (value) => asked.some((limit) => holds(value, limit))
    return name === '' || isOfJsonServer(name) ? [] : [[name, { isFor: hasField, test }]]
  }),
])

/** A query parameter, as a document has it. */
export interface DescribedFilter {
  readonly name: string
  readonly in: 'query'
  readonly schema: Schema
  readonly description: string
  /** Whether each item of an array is a parameter of its own. */
  readonly explode?: true
}

/**
 * How a document describes the filters of a list by a field, those of json-server as well as ours: where the field is a list
 * of objects, also those by the fields of these.
 */
export function describedFilters(name: string, field: FilteredField): DescribedFilter[] {
  const elements = Object.entries(field.schema.items?.properties ?? {})
    // The document goes one level deep.
    .filter(([, { items }]) => items === undefined)
    .map(([path, schema]) => [`${name}.${path}`, { schema, canLack: false }] as const)
  return [
    ...filtersBy([...COMPARISONS, ...WHOLE_OPERATORS], name, field),
    ...elements.flatMap(([path, element]) => filtersBy(COMPARISONS, path, element)),
  ]
}

function filtersBy(
  operators: Iterable<readonly [name: string, DescribedOperator]>,
  path: string,
  field: FilteredField,
): DescribedFilter[] {
  return [...operators].flatMap(([operator, { asked, description }]) => {
    const schema = asked(field)
    const name = operator === '' ? path : `${path}_${operator}`
    if (schema === undefined) return []
    return [{ name, in: 'query', schema, description, ...(schema.items && { explode: true }) }]
  })
}

/** A comparison by what is larger, of numbers and of times, which are texts. */
function comparisonBySize(isRight: (difference: number) => boolean, which: string): Comparison {
  return {
    holds: (value, asked) => isRight(order(value, asked)),
    asked: ({ schema }) => {
      if (isScalar(schema, ['integer', 'number'])) return { type: 'number' }
      const { format } = schema
      return format === 'date' || format === 'date-time' ? { ...TEXT, format } : undefined
    },
    description: `Only records with ${which}.`,
  }
}

/** Several values: a single one beside a list would be another schema, which generated clients send as one text. */
function severalOf(schema: Schema): Schema | undefined {
  // No value that is sent is equal to null.
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const [only, ...others] = types
  return isScalar(schema) ? listOf({ type: others.length === 0 ? only : types }) : undefined
}

/** Whether values are of one of some types, and never objects or lists. Default: of any. */
function isScalar({ type }: Schema, wanted = ['string', 'integer', 'number', 'boolean']): boolean {
  const types = [type ?? []].flat()
  return types.some((one) => wanted.includes(one)) && !['object', 'array'].some((one) => types.includes(one))
}

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
  const { field, operator: name } = comparisonOf(parameter)
  const operator = OWN_OPERATORS.get(name)
  if (!operator?.isFor(collection, field)) return undefined
  const holds = operator.test(valuesOf(query, parameter))
  return holds && ((record) => holds(lodash().get(record, field)))
}

/** What a query asks of the objects in one list of each record. */
export class ElementFilter {
  readonly #list: string
  readonly #wanted: ElementTest[] = []
  readonly #unwanted: ElementTest[] = []

  /** @param list the path to it */
  constructor(list: string) {
    this.#list = list
  }

  /**
   * Adds what a parameter asks.
   *
   * @param values one of which must hold
   */
  add({ path, comparison }: ElementParameter, values: readonly string[]): void {
    const { holds, isUnwanted } = comparison
    const test: ElementTest = (element) =>
      valuesAt(element, path).some((value) => values.some((asked) => holds(value, asked)))
    if (isUnwanted) this.#unwanted.push(test)
    else this.#wanted.push(test)
  }

  /** Whether one element has all that is asked for, and none has what must not be there. */
  readonly holds: OwnFilter = (record) => {
    const list: unknown = lodash().get(record, this.#list)
    const elements: readonly unknown[] = Array.isArray(list) ? list : []
    const isFound =
      this.#wanted.length === 0 || elements.some((element) => this.#wanted.every((test) => test(element)))
    return isFound && !elements.some((element) => this.#unwanted.some((test) => test(element)))
  }
}

type ElementTest = (element: unknown) => boolean

/** A parameter that compares a field of the objects in a list. */
interface ElementParameter {
  /** The path to the list: `to` of `to.id_gte`. */
  readonly list: string
  /** That to the field in one of its objects. */
  readonly path: readonly string[]
  readonly comparison: Comparison
}

const elementParameters = derived<{ found: ElementParameter | undefined }>()

/**
 * What a parameter asks of the objects in a list.
 *
 * @returns undefined where json-server has an answer of its own, because a record has the field without a list on the way,
 *   as it has `to.0.id` and `to.length`, and where no list has such an object
 */
export function elementParameter(
  parameter: string,
  collection: readonly unknown[],
): ElementParameter | undefined {
  if (!parameter.includes('.')) return undefined
  const find = () => ({ found: findElementParameter(parameter, collection) })
  return elementParameters(collection, parameter, find).found
}

function findElementParameter(
  parameter: string,
  collection: readonly unknown[],
): ElementParameter | undefined {
  const named = comparisonOf(parameter)
  // A field may have an ending of ours in its own name; one of json-server's is none there, either.
  const whole = isOfJsonServer(named.operator) ? [] : [{ field: parameter, operator: '' }]
  for (const { field, operator } of [...whole, named]) {
    const comparison = COMPARISONS.get(operator)
    if (comparison === undefined || hasField(collection, field)) continue
    const parts = field.split('.')
    for (let length = 1; length < parts.length; length += 1) {
      const [list, path] = [parts.slice(0, length).join('.'), parts.slice(length)]
      const leads = (record: unknown): boolean => {
        const elements: unknown = lodash().get(record, list)
        return Array.isArray(elements) && elements.some((element) => valuesAt(element, path).length > 0)
      }
      if (collection.some(leads)) return { list, path, comparison }
    }
  }
  return undefined
}

/** The values to which a path leads in a value: several, where lists are on the way. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value]
  if (Array.isArray(value) && !Object.hasOwn(value, name))
    return value.flatMap((element) => valuesAt(element, [name, ...rest]))
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(Reflect.get(value, name), rest) : []
}

/** Whether a record of a collection has a list in a field, which may be a path. */
export function hasList(collection: readonly unknown[], field: string): boolean {
  return collection.some((record) => Array.isArray(lodash().get(record, field)))
}

/**
 * The values of a parameter.
 *
 * @throws HttpError 400 for an object
 */
export function valuesOf(query: Query, parameter: string): string[] {
  checkValues(query, parameter)
  return [query[parameter]].flat().map(String)
}

/** Whether json-server compares a value as a text: null is equal to nothing. */
function isText(value: unknown): boolean {
  return (value ?? undefined) !== undefined && !isObject(value)
}

function equalsText(value: unknown, asked: string): boolean {
  return isText(value) && String(value) === asked
}

/** As JavaScript compares a value with a text, as json-server does in `_gte`: below 0, 0, above 0, or NaN. */
function order(value: unknown, asked: string): number {
  if (!isText(value)) return Number.NaN
  if (typeof value !== 'string') return Number(value) - Number(asked)
  return value === asked ? 0 : value < asked ? -1 : 1
}

/** Whether a query asks for the first record of a list alone: not where a record has a field of that name, or by a no. */
export function asksForOne({ [ONE]: asked }: Query, collection: readonly unknown[]): boolean {
  return asked !== undefined && asked !== 'false' && asked !== '0' && !hasField(collection, ONE)
}
