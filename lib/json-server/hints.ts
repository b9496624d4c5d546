import pluralize from 'pluralize'
import type { AccountRoute } from '../auth/account-route'
import { soughtRoute } from '../auth/login-refusal'
import { currentOf } from '../current'
import { type Data, resourceNames } from '../data/valid-data'
import { guardAdvice } from '../http/guard-advice'
import { holdsSecret, shortened } from '../http/log/redact-target'
import { type CurrentRules, ruleWithoutQuery } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { nearestName } from '../nearest-name'
import { hasAddress } from './addresses'
import { fieldsOf, hasField } from './collection-index'
import { hasList } from './own-filters'
import { namesIn, PARAMETERS_OF_LISTS, type Query } from './query-checks'

export interface HintsOptions {
  /** Where one logs in and signs up. */
  accounts: readonly AccountRoute[]
  /** Rewrite rules. */
  rules: CurrentRules
  /** Whether middlewares of the user's may read of a query what json-server ignores. */
  hasMiddlewares: boolean
  idProperty: string
  foreignKeySuffix: string
}

/** A request for which there is nothing. */
export interface Missing {
  readonly method: string
  /** As the rewrite rules have left it, still encoded. */
  readonly path: string
  readonly target: string
  /** The target as it was sent, if they have changed it. */
  readonly sent: string | undefined
  readonly query: Query
  readonly state: Data
  /** The name of the resource, if there is one. */
  readonly found: string | undefined
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
  /** What is sent. */
  readonly resource: unknown
  readonly state: Data
}

/** Names that a client has sent, and of which the log has said something. */
const MOST_NAMES = 1000

/**
 * Says in the log what json-server does without a word: why it has found nothing, and what it has left out of a query.
 * A new reason is a row of one of the tables below: each is certain, and says what has happened.
 */
export class Hints {
  readonly #said = new Set<string>()
  private readonly options: HintsOptions

  constructor(options: HintsOptions) {
    this.options = options
  }

  /** Why there is nothing: the first row that knows it. */
  ofMissing(missing: Missing): string | undefined {
    const parts = missing.path.split('/').filter((part) => part !== '')
    const asked = { ...missing, ...this.options, parts }
    for (const row of WHY_MISSING) {
      const said = row(asked)
      if (said !== undefined) return said
    }
    return `there is no route for ${missing.method} here`
  }

  /** What json-server has left out of a query: all that the rows know. */
  ofRead(read: Read): string | undefined {
    const said: string[] = []
    for (const [row, { names, why, isSaidOnce }] of WHY_OTHERWISE.entries())
      for (const name of names(read)) {
        if (!isPlain(name) || (isSaidOnce && !this.#isNew(`${row} ${read.name} ${name}`))) continue
        const clause = why(name, read, this.options)
        if (clause !== undefined) said.push(clause)
      }
    return said.length === 0 ? undefined : said.join('; ')
  }

  /** Whether a name has not been spoken of yet. */
  #isNew(name: string): boolean {
    if (this.#said.has(name) || this.#said.size >= MOST_NAMES) return false
    this.#said.add(name)
    return true
  }
}

type WhyMissing = (asked: Missing & HintsOptions & { parts: readonly string[] }) => string | undefined

/** Why there is nothing, in this order. */
const WHY_MISSING: readonly WhyMissing[] = [
  // A part of it by itself may not look like one of a password.
  ({ path }) => (holdsSecret(path) ? 'there is nothing at this path' : undefined),
  ({ rules, target }) => ruleWithoutQuery(currentOf(rules), target),
  ({ method, path, sent, found, accounts }) =>
    found === undefined ? soughtRoute({ method, path }, accounts, sent) : undefined,
  ({ parts: [first = '', id], found }) =>
    found === undefined && id !== undefined ? guardAdvice(first) : undefined,
  // Only names at the top of the data are resources.
  ({ parts: [first = '', id = '', nested = ''], state }) => {
    const above = Object.hasOwn(state, first) ? state[first] : undefined
    if (isRecord(above) && Object.hasOwn(above, id)) return notAtTop(id, `"${shortened(first)}"`)
    const isField = nested !== '' && Array.isArray(above) && hasField(above, nested)
    return isField && !Object.hasOwn(state, nested)
      ? notAtTop(nested, `records in "${shortened(first)}"`)
      : undefined
  },
  ({ method, parts: [first, id, nested = '', ...deeper], found, state }) =>
    found === first && deeper.length < 2 && Array.isArray(state[nested])
      ? `through a record there are only GET and POST /${shortened(first)}/${shortened(id)}/${nested}: ` +
        `${method} /${nested}/${shortened(deeper[0] ?? ':id')}`
      : undefined,
  ({ method, parts: [, id, nested], found, query, state, idProperty }) => {
    if (found === undefined || nested !== undefined) return undefined
    if (!Array.isArray(state[found]))
      return `"${found}" is one object, for GET, POST, PUT and PATCH /${found} alone`
    if (id === undefined) {
      const [sent = ''] = namesIn(query[idProperty])
      return /^(?:PUT|PATCH|DELETE)$/.test(method)
        ? `the id belongs into the path: ${method} /${found}/${isPlain(sent) ? sent : ':id'}`
        : undefined
    }
    return method === 'POST'
      ? `POST /${found} adds a record, PUT or PATCH /${found}/${shortened(id)} changes one`
      : `no record ${shortened(id)} in "${found}"`
  },
  ({ parts: [first = '', id = '', nested, ...deeper], found, state }) => {
    if (found !== undefined || first === '') return undefined
    const isNested = nested !== undefined && Object.hasOwn(state, first)
    if (isNested && deeper.length > 0) return undefined
    const sought = isNested ? nested : first
    const above = isNested ? `${shortened(first)}/${shortened(id)}/` : ''
    const missing = `no "${shortened(sought)}" in the data`
    if (!isNested && Object.hasOwn(state, id))
      return `${missing}: the rewrite rule "/${shortened(first)}/*": "/$1" would lead to /${id}`
    const nearest = nearestName(shortened(sought), resourceNames(state).filter(hasAddress))
    return nearest === undefined ? missing : `${missing}: did you mean /${above}${nearest}?`
  },
]

/** What json-server has done otherwise than a name in a query may seem to ask. */
interface WhyOtherwise {
  /** The names of which there may be something to say. */
  names: (read: Read) => readonly string[]
  /** A clause about one of them. */
  why: (name: string, read: Read, options: HintsOptions) => string | undefined
  /** Whether a name is spoken of once: some stand in every request, such as a version against caches. */
  isSaidOnce?: true
}

const WHY_OTHERWISE: readonly WhyOtherwise[] = [
  {
    names: ({ query }) => namesIn(query._embed),
    why: (name, { state }) => {
      if (Array.isArray(state[name])) return undefined
      if (name.includes('.')) return `_embed goes one level deep, and ${name} is more`
      return Array.isArray(state[pluralize(name)])
        ? `_embed of a parent is _expand=${name}`
        : `there is no collection "${name}" for _embed`
    },
  },
  {
    names: ({ query }) => namesIn(query._expand),
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
    names: ({ query }) => PARAMETERS_OF_PAGES.filter((name) => query[name] !== undefined),
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
    names: ({ ignored, collection }) => (collection.length > 0 ? ignored : []),
    why: (name, { query, collection }, { hasMiddlewares }) => {
      if (READ_BY_OTHERS.includes(name)) return undefined
      const reason = adviceFor(name, query, collection) ?? notThere(name, collection)
      // A middleware of the user's may have read it.
      return `${hasMiddlewares ? '' : 'json-server ignored '}"${name}": ${reason}`
    },
    isSaidOnce: true,
  },
  {
    names: ({ query, resource }) => (isEmptyList(resource) ? Object.keys(query) : []),
    why: (name, { query, collection, ignored }) => {
      if (ignored.includes(name) || !hasField(collection, name)) return undefined
      if (/^(?:null|undefined)$/.test(String(query[name])))
        return `no value is equal to null: ${name}_is=null finds records without one`
      if (hasList(collection, name))
        return `"${name}" is a list, which is compared as its text, such as 1,3: ${name}_has=1 finds an element`
      return String(query[name]).includes(',') && !Array.isArray(query[name])
        ? `a value is compared as a whole: ${name}=a&${name}=b finds one or the other`
        : undefined
    },
  },
]

const PARAMETERS_OF_PAGES = ['_page', '_limit', '_start', '_end', '_order']

/** Parameters that json-server ignores, and others read: JSONP by another name, `middlewares/delay.ts`. */
const READ_BY_OTHERS = ['jsonp', '_delay']

/** How json-server is asked for what other servers, and its version 1.0, call otherwise. `$1` is a field. */
const OWN_WAYS: readonly (readonly [name: RegExp, way: string])[] = [
  [/^_per_page$/, '_limit'],
  [/^_where$/, 'a parameter for each field, such as field_gte'],
  [/^(.+)(?::gte|_min|_from)$/, '$1_gte'],
  [/^(.+)(?::lte|_max|_to)$/, '$1_lte'],
  [/^(.+)[:_]gt$/, '$1_gte, which includes the value'],
  [/^(.+)[:_]lt$/, '$1_lte, which includes the value'],
  [/^(.+)(?::ne|[:_](?:not|neq))$/, '$1_ne'],
  [/^(.+)[:_]eq$/, '$1'],
  [/^(.+)[:_]in$/, '$1=1&$1=2'],
  [/^(.+)[:_](?:contains|includes|ilike|like)$/, '$1_like=x'],
  [/^(.+)[:_]starts_?with$/i, '$1_like=^x'],
  [/^(.+)[:_]ends_?with$/i, '$1_like=x$'],
  [/^(.+?)[:_](?:is_?)?null$/i, '$1_is=null'],
  [/^(.+?)[:_](?:(?:is_?)?not_?null|exists)$/i, '$1_is=set'],
]

function adviceFor(name: string, query: Query, collection: readonly unknown[]): string | undefined {
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
  const nearest = nearestName(name, [...fieldsOf(collection), ...PARAMETERS_OF_LISTS])
  return `no record has it${nearest === undefined ? '' : `, did you mean ${nearest}?`}`
}

function notAtTop(name: string, above: string): string {
  return `"${shortened(name)}" is a field of ${above}: only names at the top of the data are resources`
}

function isEmptyList(resource: unknown): boolean {
  return Array.isArray(resource) && resource.length === 0
}

/** Whether the log may show a name: it is decoded, so that it could hold anything. */
function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_.,:$-]{1,100}$/u.test(name) && !holdsSecret(name)
}
