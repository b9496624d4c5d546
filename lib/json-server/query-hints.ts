import pluralize from 'pluralize'
import type { Data } from '../data/valid-data'
import { isPlainName } from '../http/log/redact-target'
import { nearestName } from '../nearest-name'
import { fieldNamesOf, hasField } from './collection-index'
import { hasList, ONE } from './own-filters'
import { PARAMETERS_OF_LISTS, PARAMETERS_OF_PAGES, parameterNames, type Query } from './query-checks'

export interface QueryHintsOptions {
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
  const spoken = new Set<string>()
  /** Whether a name has not been spoken of yet. */
  const isNew = (name: string): boolean => {
    const isKnown = spoken.has(name)
    spoken.add(name)
    return !isKnown
  }
  return (read) => {
    const said: string[] = []
    for (const [row, { names, why, isSaidOnce }] of ROWS.entries())
      for (const name of names(read)) {
        if (!isPlainName(name) || (isSaidOnce && !isNew(`${row} ${read.name} ${name}`))) continue
        const clause = why(name, read, options)
        if (clause !== undefined) said.push(clause)
      }
    return said.length === 0 ? undefined : said.join('; ')
  }
}

/** What json-server has done otherwise than a name in a query may seem to ask. */
interface QueryRow {
  /** The names of which there may be something to say. */
  names: (read: Read) => readonly string[]
  /** A clause about one of them. */
  why: (name: string, read: Read, options: QueryHintsOptions) => string | undefined
  /** Whether a name is spoken of once: some stand in every request, such as a version against caches. */
  isSaidOnce?: true
}

const ROWS: readonly QueryRow[] = [
  {
    names: ({ query }) => parameterNames(query._embed),
    why: (name, { state }) => {
      if (Array.isArray(state[name])) return undefined
      if (name.includes('.')) return `_embed goes one level deep, and ${name} is more`
      return Array.isArray(state[pluralize(name)])
        ? `_embed of a parent is _expand=${name}`
        : `there is no collection "${name}" for _embed`
    },
  },
  {
    names: ({ query }) => parameterNames(query._expand),
    why: (name, { state, name: collectionName, collection }, { foreignKeySuffix: suffix }) => {
      const [plural, singular] = [pluralize(name), pluralize.singular(name)]
      if (name.includes('.')) return `_expand goes one level deep, and ${name} is more`
      if (!Array.isArray(state[plural]))
        return `_expand=${name} looks for a collection "${plural}", which is not there`
      if (collection.length === 0 || hasField(collection, name + suffix)) return undefined
      if (hasField(collection, `${singular}${suffix}s`))
        return name === plural ? undefined : `_expand=${plural} follows "${singular}${suffix}s"`
      return hasField(collection, `${singular}${suffix}`)
        ? `_expand takes the singular: _expand=${singular}`
        : `_expand=${name} follows "${name}${suffix}", which no record in "${collectionName}" has`
    },
  },
  {
    names: ({ query: { _sort }, collection }) =>
      typeof _sort === 'string' && collection.length > 0
        ? _sort.split(',').filter((name) => !hasField(collection, name))
        : [],
    why: (name, { collection }) => {
      const field = name.replace(/^-/, '')
      return field === name
        ? `json-server ignored _sort=${name}: ${notThere(name, collection)}`
        : `json-server sorts downwards by _sort=${field}&_order=desc`
    },
    isSaidOnce: true,
  },
  {
    names: ({ query }) => [...PARAMETERS_OF_PAGES, '_order'].filter((name) => query[name] !== undefined),
    why: (name, { query }) => {
      const value = String(query[name])
      if (name === '_order')
        return /^(?:asc|desc|,)*$/i.test(value) ? undefined : '_order takes asc or desc, and is asc otherwise'
      if (name === '_page' && !/^(?:[1-9]\d*)?$/.test(value)) return '_page takes a number from 1'
      if (!/^\d*$/.test(value)) return `${name} takes a number`
      return name === '_start' && query._end === undefined && query._limit === undefined
        ? '_start acts with _end or _limit alone'
        : undefined
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
    isSaidOnce: true,
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
        return `"${name}" is a list, which is compared as its text, such as 1,3: ${name}_has=1 finds an element`
      return isEmpty && String(query[name]).includes(',') && !Array.isArray(query[name])
        ? `a value is compared as a whole: ${name}=a&${name}=b finds one or the other`
        : undefined
    },
  },
]

/** Parameters that json-server ignores, and others read: JSONP by another name, `middlewares/delay.ts`. */
const READ_BY_OTHERS = ['jsonp', '_delay']

/** How json-server is asked for what other servers, and its version 1.0, call otherwise. `$1` is a field. */
const OWN_WAYS: readonly (readonly [name: RegExp, way: string])[] = [
  [/^_per_page$/, '_limit'],
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
  for (const [pattern, way] of OWN_WAYS) {
    const [, field] = pattern.exec(name) ?? []
    if (pattern.test(name) && (field === undefined || hasField(collection, field)))
      return `its own way is ${name.replace(pattern, way)}`
  }
  return undefined
}

function notThere(name: string, collection: readonly unknown[]): string {
  const nearest = nearestName(name, [...fieldNamesOf(collection), ...PARAMETERS_OF_LISTS, ONE])
  return `no record has it${nearest === undefined ? '' : `, did you mean ${nearest}?`}`
}
