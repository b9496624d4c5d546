import pluralize from 'pluralize'
import type { Data } from '../data/valid-data'
import { isPlainName } from '../http/log/redact-target'
import { isObject } from '../is-record'
import { nearestName } from '../nearest-name'
import { fieldNamesOf, hasField } from './collection-index'
import { lodash } from './lodash'
import { elementParameter, hasList, ONE } from './own-filters'
import {
  comparisonOf,
  isOfJsonServer,
  PARAMETERS_OF_LISTS,
  PARAMETERS_OF_PAGES,
  PARAMETERS_OF_RELATIONS,
  parameterNames,
  type Query,
} from './query-checks'

interface QueryHintsOptions {
  /** Whether middlewares of the user's may read of a query what json-server ignores. */
  hasMiddlewares: boolean
  foreignKeySuffix: string
}

/** A list, or a record, that has been read. */
export interface Read {
  /** The name of the collection. */
  readonly name: string
  readonly collection: readonly unknown[]
  /** As it was sent. */
  readonly query: Query
  /** The parameters that json-server was not given, because no record has such a field. */
  readonly ignored: readonly string[]
  /** How many records the list has of which the first is sent, where one was asked for. */
  readonly found: number | undefined
  /** What is sent. */
  readonly resource: unknown
  readonly state: Data
}

/** Says in the log what json-server has left out of a query, or done otherwise: clauses, or undefined for nothing. */
export type QueryHint = (read: Read) => string | undefined

/** What json-server has done without a word, by all of the rows below that know something. Each is certain. */
export function queryHints(options: QueryHintsOptions): QueryHint {
  return (read) => {
    const said = ROWS.flatMap(({ names, why }) =>
      names(read)
        .filter(isPlainName)
        .map((name) => why(name, read, options)),
    ).filter((clause) => clause !== undefined)
    return said.length === 0 ? undefined : [...new Set(said)].join('; ')
  }
}

/** What json-server has done otherwise than a name in a query may seem to ask. */
interface QueryRow {
  /** The names of which there may be something to say. */
  names: (read: Read) => readonly string[]
  /** A clause about one of them. */
  why: (name: string, read: Read, options: QueryHintsOptions) => string | undefined
}

const ROWS: readonly QueryRow[] = [
  {
    names: ({ query }) => parameterNames(query._embed),
    why: (name, read, options) => {
      const others = read.state[name]
      if (Array.isArray(others)) {
        if (others.length === 0 || isReferredTo(others, read, options)) return undefined
        const key = foreignKeyTo(read, options)
        const relation = relationTo(name, read, options)
        return `_embed=${name} follows "${key}", which no record in "${name}" has${didYouMean(relation)}`
      }
      const one = notOne('_embed', name)
      if (one !== undefined) return one
      const meant = meantCollection(name, read.state)
      const relation = meant && (relationTo(meant, read, options) ?? `_embed=${meant}`)
      return `there is no collection "${name}" for _embed${didYouMean(relation)}`
    },
  },
  {
    names: ({ query }) => parameterNames(query._expand),
    why: (name, read, options) => {
      const one = notOne('_expand', name)
      if (one !== undefined) return one
      const { collection, state } = read
      const [plural, key] = [pluralize(name), name + options.foreignKeySuffix]
      const isThere = Array.isArray(state[plural])
      if (isThere && (collection.length === 0 || hasField(collection, key))) return undefined
      const meant = meantCollection(name, state)
      const relation = meant && relationTo(meant, read, options)
      const isRight = relation === `_expand=${name}`
      if (isThere && isRight) return undefined
      const reason = isThere
        ? `_expand=${name} follows "${key}", which no record in "${read.name}" has`
        : `_expand=${name} looks for a collection "${plural}", which is not there`
      return reason + didYouMean(isRight ? undefined : relation)
    },
  },
  {
    names: (read) => {
      const { collection } = read
      const { _sort } = read.query
      if (!isOfList(read) || typeof _sort !== 'string' || collection.length === 0) return []
      return _sort.split(',').filter((name) => !hasField(collection, name))
    },
    why: (name, { collection }) => {
      const field = name.replace(/^-/, '')
      return field !== name && hasField(collection, field)
        ? `json-server sorts downwards by _sort=${field}&_order=desc`
        : `json-server ignored _sort=${name}: ${notThere(field, collection)}`
    },
  },
  {
    names: (read) => (isOfList(read) && read.query._order ? ['_order'] : []),
    why: (_name, { query: { _order, _sort } }) => {
      if (_sort === undefined) return '_order acts only with _sort'
      return !_sort || /^(?:asc|desc)?(?:,(?:asc|desc)?)*$/i.test(String(_order))
        ? undefined
        : '_order takes asc or desc, and is asc otherwise'
    },
  },
  {
    // json-server takes an empty text for none.
    names: ({ query, resource }) =>
      Array.isArray(resource) ? PARAMETERS_OF_PAGES.filter((name) => query[name]) : [],
    why: (name, { query }) => {
      const [first, others] = PARTS.find(([one]) => query[one]) ?? []
      if (first === undefined) return '_start acts only with _end or _limit'
      if (name !== first && !others?.includes(name)) return `json-server ignored ${name} beside ${first}`
      const value = query[name]
      if (Array.isArray(value) && value.length > 1)
        return `${name} may be given once, and json-server took the first`
      // To json-server, a page of 0 records is one of 10.
      const least = name === '_page' || (name === '_limit' && first === '_page') ? 1 : 0
      return /^\d+$/.test(String(value)) && Number(value) >= least
        ? undefined
        : `${name} takes a whole number from ${least}`
    },
  },
  {
    names: ({ found = 0 }) => (found > 1 ? [ONE] : []),
    why: (name, { found }) => `${name} sends the first of ${found}`,
  },
  {
    names: ({ ignored, collection }) => (collection.length > 0 ? ignored : []),
    why: (name, { query, collection }, { hasMiddlewares }) => {
      if (READ_BY_OTHERS.includes(name)) return undefined
      const reason = adviceOnName(name, query, collection) ?? notThere(name, collection)
      // A middleware of the user's may have read it.
      return `${hasMiddlewares ? '' : 'json-server ignored '}"${name}": ${reason}`
    },
  },
  {
    names: ({ query, resource, collection }) =>
      Array.isArray(resource) && collection.length > 0
        ? Object.keys(query).filter((name) => comparesNothing(name, collection))
        : [],
    why: (name, { collection }) => {
      const { field } = comparisonOf(name)
      const nearest = nearestName(field, fieldNamesOf(collection))
      return `${name} finds nothing, because no record has "${field}"${didYouMean(nearest)}`
    },
  },
  {
    names: ({ query, resource }) => (Array.isArray(resource) ? Object.keys(query) : []),
    why: (name, { query, collection, ignored, resource }) => {
      const found = Array.isArray(resource) ? resource : []
      const isEmpty = found.length === 0
      if (ignored.includes(name) || !hasField(collection, name)) return undefined
      if (isEmpty && /^(?:null|undefined)$/.test(String(query[name])))
        return `no value is equal to null: ${name}_is=null finds records without one`
      // The text of a list with one element is that of the element.
      const isList = isEmpty
        ? hasList(collection, name)
        : hasList(found, name) && !String(query[name]).includes(',')
      if (isList)
        return isObject(elementIn(collection, name))
          ? `"${name}" is a list of objects: ${name}.id=1 looks at a field of these`
          : `"${name}" is a list, which is compared as its text, such as 1,3: ${name}_has=1 finds an element`
      return isEmpty && String(query[name]).includes(',') && !Array.isArray(query[name])
        ? `a value is compared as a whole: ${name}=a&${name}=b finds one or the other`
        : undefined
    },
  },
]

/** What json-server reads of those that ask for a part of a list: what is sent of the first, and its others beside it. */
const PARTS: readonly (readonly [first: string, others: readonly string[]])[] = [
  ['_page', ['_limit']],
  ['_end', ['_start']],
  ['_limit', ['_start']],
]

/** Whether it is a list that has been read, perhaps for its first record. */
function isOfList({ resource, found }: Read): boolean {
  return Array.isArray(resource) || found !== undefined
}

/** An element of a list that records have in a field. */
function elementIn(collection: readonly unknown[], field: string): unknown {
  for (const record of collection) {
    const list: unknown = lodash().get(record, field)
    if (Array.isArray(list) && list.length > 0) return list[0]
  }
  return undefined
}

/** Parameters that json-server ignores, and others read: JSONP by another name, `middlewares/delay.ts`. */
const READ_BY_OTHERS = ['jsonp', '_delay']

/** How json-server is asked for what other servers, and its version 1.0, call otherwise. `$1` is a field. */
const OWN_WAYS: readonly (readonly [name: RegExp, way: string, isFor?: typeof hasField])[] = [
  [
    /^(.+)[:_](?:in|contains|includes)$/,
    '$1_has=1',
    (collection, field) => hasList(collection, field) && !isObject(elementIn(collection, field)),
  ],
  [/^_?per_?page$/i, '_limit'],
  [/^_where$/, 'a parameter for each field, such as field_gte'],
  [/^(.+)(?::gte|_min|_from)$/, '$1_gte'],
  [/^(.+)(?::lte|_max|_to)$/, '$1_lte'],
  [/^(.+):gt$/, '$1_gt'],
  [/^(.+):lt$/, '$1_lt'],
  [/^(.+)(?::ne|[:_](?:not|neq))$/, '$1_ne'],
  [/^(.+)[:_]eq$/, '$1'],
  [/^(.+)[:_]in$/, '$1=1&$1=2'],
  [/^(.+)[:_](?:contains|includes|ilike|like)$/, '$1_like=x'],
  [/^(.+)[:_]starts_?with$/i, '$1_like=^x'],
  [/^(.+)[:_]ends_?with$/i, '$1_like=x$'],
  [/^(.+?)[:_](?:is_?)?null$/i, '$1_is=null'],
  [/^(.+?)[:_](?:(?:is_?)?not_?null|exists)$/i, '$1_is=set'],
]

function adviceOnName(name: string, query: Query, collection: readonly unknown[]): string | undefined {
  const [first = ''] = name.split('.')
  if ([query._embed, query._expand].flat().includes(first))
    return 'filters see records before relations are added'
  const { field: compared, operator } = comparisonOf(name)
  if (operator === 'is' && hasField(collection, compared)) return '_is takes null or set'
  if (operator === 'has' && hasField(collection, compared)) return `no record has a list in "${compared}"`
  for (const [pattern, way, isFor = hasField] of OWN_WAYS) {
    const match = pattern.exec(name)
    if (match === null) continue
    const [, field] = match
    if (field === undefined || isFor(collection, field)) return `its own way is ${name.replace(pattern, way)}`
  }
  return undefined
}

function notThere(name: string, collection: readonly unknown[]): string {
  const parameters = [...PARAMETERS_OF_LISTS, ...PARAMETERS_OF_RELATIONS, ...READ_BY_OTHERS, ONE]
  const known = [...fieldNamesOf(collection), ...parameters]
  return `no record has it${didYouMean(nearestName(name, known))}`
}

/** Whether a parameter has an ending of json-server's, and compares a field that no record has. */
function comparesNothing(parameter: string, collection: readonly unknown[]): boolean {
  const { field, operator } = comparisonOf(parameter)
  return (
    isOfJsonServer(operator) &&
    ![field, parameter].some((name) => hasField(collection, name)) &&
    elementParameter(parameter, collection) === undefined
  )
}

/** The collection that a name in `_embed` or `_expand` means: by its plural, or by the nearest name. */
function meantCollection(name: string, state: Data): string | undefined {
  const lists = Object.keys(state).filter((list) => Array.isArray(state[list]))
  const plural = pluralize(name)
  if (lists.includes(plural)) return plural
  const nearest = nearestName(name, [...lists, ...lists.map((list) => pluralize.singular(list))])
  return nearest === undefined || lists.includes(nearest) ? nearest : pluralize(nearest)
}

/** How records are asked for together with those of another collection; undefined where neither refers to the other. */
function relationTo(other: string, read: Read, options: QueryHintsOptions): string | undefined {
  const { collection, state } = read
  const { foreignKeySuffix: suffix } = options
  const singular = pluralize.singular(other)
  if (hasField(collection, singular + suffix)) return `_expand=${singular}`
  if (hasField(collection, `${singular}${suffix}s`)) return `_expand=${other}`
  const others = state[other]
  return Array.isArray(others) && isReferredTo(others, read, options) ? `_embed=${other}` : undefined
}

function foreignKeyTo({ name }: Read, { foreignKeySuffix }: QueryHintsOptions): string {
  return pluralize.singular(name) + foreignKeySuffix
}

/** Whether records of another collection refer to what is read. */
function isReferredTo(others: readonly unknown[], read: Read, options: QueryHintsOptions): boolean {
  const key = foreignKeyTo(read, options)
  return hasField(others, key) || hasField(others, `${key}s`)
}

/** What is said where a relation is no single name; undefined for one. */
function notOne(parameter: string, name: string): string | undefined {
  if (name.includes('.')) return `${parameter} goes one level deep, and ${name} is more`
  if (!name.includes(',')) return undefined
  const several = name.split(',').map((one) => `${parameter}=${one}`)
  return `${parameter} takes one name, and may be given several times: ${several.join('&')}`
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : `, did you mean ${name}?`
}
