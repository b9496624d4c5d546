import type { Access } from '../auth/access'
import { badRequest } from '../errors'
import { EXPOSED_HEADERS } from '../http/exposed-headers'
import { notesOf } from '../http/notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { resourcesAt } from './addresses'
import { refer } from './id-lists'
import { findInside, INSIDE, type NestedResource } from './inside'
import { readListQuery } from './list-query'
import type { MissingHint } from './missing-hints'
import { pathParts, relatedRecord, relationOf, relationsAt } from './nested-path'
import { runPatterns } from './pattern-time'
import { asksForRelations, checkListQuery, checkRelations, hasPatterns } from './query-checks'
import type { QueryHint } from './query-hints'
import { addRelations } from './relations'
import { type Exchange, Routers } from './routers'

interface RoutingOptions {
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked whether a request may go to the resource that it has come to. */
  access: Access
  /** Whether lists and objects that are nested in the data have paths. */
  nested: boolean
  /** Whether a POST may bring several records: a middleware of the user's looks at one. */
  severalAtOnce: boolean
  /** Say in the log why there is nothing, and what was left out. Default: nobody does, because there is no log. */
  missingHint?: MissingHint
  queryHint?: QueryHint
}

const DATABASE_PATH = /^\/db\/?$/i

/**
 * A path of three segments or more: asking json-server's nested router about any other would add 2 % to a GET
 * of a record.
 */
const DEEP_PATH = /^\/[^/]+\/[^/]+\/[^/]/

/**
 * A name, and the path after it, as Express divides the path of a router that is mounted at `/name`: one
 * slash more than needed belongs to the name.
 */
const MOUNTED_PATH = /^\/([^/]*)\/?(?=\/|$)(.*)$/s

/** What comes after the name in the path of a list or of a record. */
const LIST_OR_RECORD = /^\/?(?:[^/]+\/?)?$/

/** Why there is nothing where a middleware of the user's may guard `/users/:id`, and know of no path below it. */
const BESIDE_MIDDLEWARES =
  'beside middlewares, nested data has paths with --nested (nested: true) alone: let them look at these paths first'

/** What a middleware may check in `req.body`, it does not look for in a list. */
const ONE_BESIDE_MIDDLEWARES =
  'The body must be a JSON object, in braces: beside middlewares, which look at one record, a list is stored by one of ' +
  'them ("Many records at once" in docs/data.md).'

/**
 * How many places of a list a POST may copy, because each record that it brings makes another list: 200 records in a list
 * of 100,000, or 6,000 in an empty one, take some 0.3 s.
 */
const MOST_COPIED = 20_000_000

/** Milliseconds that a list in a POST may keep all other requests waiting, such as by slow patterns of a schema. */
const LONGEST_ADDITION = 2000

/**
 * Refuses nobody what is somebody's, on its own or through the record of another, before anything is looked for: what is
 * there and what is not are the same to them.
 *
 * @throws HttpError 401
 */
function requireSomebody({ request, transaction: { state, options } }: Exchange): void {
  const { owner } = options
  if (owner === undefined) return
  const { method, path } = request
  const names = [
    ...resourcesAt(path.split('/')[1] ?? '', state),
    ...relationsAt(pathParts(path) ?? [], state),
  ]
  for (const name of names) owner.requireSomebody(name, method)
}

/** Finds the resource that a request is for, checks the request, and calls json-server's router of that resource. */
export class Routing {
  readonly #routers: Routers
  readonly #options: RoutingOptions

  constructor(options: RoutingOptions) {
    this.#options = options
    this.#routers = new Routers(options)
  }

  /**
   * Calls json-server's routers, which put the resource into `response.locals.data`.
   *
   * @returns whether they leave the response to be sent
   * @throws HttpError when the request is not allowed, or json-server would fail on it
   */
  route(given: Exchange): boolean {
    const { request, response, transaction } = given
    const { method, path, query } = request
    const { state } = transaction
    // json-server's /db
    if (isRead(request) && DATABASE_PATH.test(path)) {
      this.#options.access.require(request, path)
      response.locals.data = state
      return true
    }
    requireSomebody(given)
    const isDeep = DEEP_PATH.test(path)
    // It comes first, because json-server changes the query or the body of a request for which it then finds nothing.
    const nested = isDeep ? this.#findNested(given) : undefined
    if (nested?.call) return nested.call()
    if (isDeep && !this.#routers.callNested(given)) return false
    const isRelation = isDeep && request.path !== path
    const exchange = isRelation ? { ...given, relation: relationOf(path, transaction) } : given
    const [, asked = '', rest = ''] = MOUNTED_PATH.exec(request.path) ?? []
    // If names differ only in case, json-server calls the routers of all of them, unless one responds.
    const names = resourcesAt(asked, state)
    for (const name of names) {
      const isAsSent = path === `/${name}${rest}` && !asksForRelations(request.query)
      this.#options.access.require(request, isAsSent ? path : undefined)
      if (!this.#routeTo(name, rest, exchange)) return false
    }
    if (!response.locals.data) {
      const { call, reason } = nested ?? this.#findNested(exchange)
      if (call) return call()
      const { missingHint } = this.#options
      const notes = notesOf(request)
      const { sentTarget: sent, prefix = '' } = notes
      const isHidden = (id: string) => names.some((name) => transaction.hides(name, id))
      const missing = { method, path, sent, prefix, query, state, found: names[0], isHidden, nested: reason }
      if (missingHint) notes.reason = missingHint(missing)
    }
    return true
  }

  /**
   * Finds what a request is for where json-server has nothing: something that is nested in the data, or a record that is
   * asked for through another one.
   *
   * @returns what responds, if there is something: whether it leaves the response to be sent; or why there is nothing
   */
  #findNested(exchange: Exchange): { call?: () => boolean; reason?: string | undefined } {
    const { request, response, transaction } = exchange
    const parts = pathParts(request.path)
    if (parts === undefined || request.method === 'OPTIONS' || response.locals.data) return {}
    const { nested, access } = this.#options
    const hasGrant = access.grantOf(request) !== undefined
    // After a record, json-server takes one slash alone.
    const isOfList = request.path.endsWith('//')
    if (relationsAt(parts, transaction.state).length > 0) {
      const related = nested && isRead(request) && !isOfList ? relatedRecord(parts, transaction) : undefined
      if (related === undefined || hasGrant) return {}
      return { call: () => this.#routeTo(related.collection, related.rest, exchange) }
    }
    const { resource, reason } = findInside(parts, transaction, notesOf(request).prefix)
    if (resource === undefined) return { reason }
    if (isOfList && resource.rest !== '') return {}
    if (!nested) return { reason: BESIDE_MIDDLEWARES }
    // In a rule, `:id` stands for an id, and never for a field.
    const mayEnter = !hasGrant || resource.rest !== '' || access.isNamed(request)
    return mayEnter ? { call: () => this.#routeInside(resource, exchange) } : {}
  }

  #routeInside(nested: NestedResource, { request, response, transaction }: Exchange): boolean {
    this.#options.access.require(request, request.path)
    const notes = notesOf(request)
    if (asksForRelations(request.query)) {
      // json-server would put an empty list in the place of one that is there.
      const { _embed, _expand, ...query } = request.query
      request.query = query
      notes.reason = '_embed and _expand act at the top of the data alone'
    }
    const isLeft = this.#routeTo(INSIDE, nested.rest, { request, response, transaction: nested.transaction })
    nested.store()
    // A schema may have left some of it as it was, and a password has become a hash. An element that is new is not there.
    const isChange =
      request.method === 'POST' ? !Array.isArray(nested.value()) : ['PUT', 'PATCH'].includes(request.method)
    if (isChange && response.locals.data && transaction.options.rules !== undefined)
      response.locals.data = findInside(pathParts(request.path) ?? [], transaction).resource?.value()
    if (isLeft && !response.locals.data) notes.reason = nested.reasonFor(request.method)
    return isLeft
  }

  /**
   * Calls json-server's router of a resource: whether it leaves the response to be sent.
   *
   * @param rest the path after the name, which may be empty
   */
  #routeTo(name: string, rest: string, exchange: Exchange): boolean {
    const { request, transaction } = exchange
    const { url } = request
    const collection = transaction.collection(name)
    request.url = rest === '' ? '/' : rest
    try {
      if (collection !== undefined && isRead(request) && LIST_OR_RECORD.test(rest))
        return this.#read(name, collection, exchange)
      if (collection !== undefined && request.method === 'POST' && request.url === '/')
        return this.#add(name, collection, exchange)
      return this.#routers.call(name, collection !== undefined, exchange)
    } finally {
      this.#routers.release()
      request.url = url
    }
  }

  /** Calls json-server's router for a list or a record of a collection. */
  #read(name: string, collection: readonly unknown[], exchange: Exchange): boolean {
    const { request, response, transaction, relation } = exchange
    const { query } = request
    if (asksForRelations(query)) checkRelations(query)
    // The handler takes from the query what it reads.
    const asked = { ...query }
    const isList = request.url === '/'
    const call = () => this.#routers.call(name, true, exchange)
    const { isLeft, ignored, found } = isList
      ? readList(collection, exchange, call)
      : { isLeft: call(), ignored: [], found: undefined }
    const { data: resource }: Record<string, unknown> = response.locals
    if (resource === undefined) return isLeft
    if (asksForRelations(asked)) addRelations(resource, name, asked, transaction)
    // It is in the path, and in no query.
    if (relation !== undefined) delete asked[relation.foreignKey]
    if (Object.keys(asked).length === 0) return isLeft
    const { state } = transaction
    const read = { name, collection, query: asked, ignored, found, resource, state }
    const reason = this.#options.queryHint?.(read)
    if (reason !== undefined) notesOf(request).reason = reason
    return isLeft
  }

  /** Calls json-server's router for a new record, or stores several. */
  #add(name: string, collection: readonly unknown[], exchange: Exchange): boolean {
    const { request, response, transaction, relation } = exchange
    const body: unknown = request.body
    const all = transaction.all(name, collection)
    if (relation !== undefined)
      for (const record of [body].flat()) if (isRecord(record)) refer(record, all, relation)
    if (!Array.isArray(body)) return this.#routers.call(name, true, exchange)
    if (!this.#options.severalAtOnce) throw badRequest(ONE_BESIDE_MIDDLEWARES)
    if (!body.every(isRecord)) throw badRequest('Each record in the list must be a JSON object, in braces.')
    const copied = body.length * (all.length + body.length / 2)
    if (copied > MOST_COPIED) {
      const part = Math.max(1, Math.floor(MOST_COPIED / (all.length + body.length)))
      throw badRequest(`These are too many records at once: send them in parts of ${part}.`)
    }
    // Where one is refused, nobody sees what the transaction has made of the others.
    const end = performance.now() + LONGEST_ADDITION
    response.locals.data = body.map((record) => {
      if (performance.now() > end)
        throw badRequest('To look at these records takes too long: send them in smaller parts.')
      return transaction.add(name, record)
    })
    response.status(201)
    return true
  }
}

/** A list that json-server has made. */
interface ReadList {
  /** Whether the response is left to be sent. */
  readonly isLeft: boolean
  /** The names of the query that json-server ignores. */
  readonly ignored: readonly string[]
  /** How many there are, where one was asked for. */
  readonly found: number | undefined
}

/**
 * Has json-server's handler make a list, in limited time where there are regular expressions.
 *
 * @param call calls the handler: whether it leaves the response to be sent
 */
function readList(
  collection: readonly unknown[],
  { request, response, transaction, relation }: Exchange,
  call: () => boolean,
): ReadList {
  const sent = request.query
  checkListQuery(sent)
  const isThere = (name: string) => Boolean(transaction.valueAt(name))
  const read = () => {
    const { list, query, ignored, isOne } = readListQuery(sent, collection, { isThere, relation })
    transaction.list(list)
    request.query = query
    if (!isOne) return { isLeft: call(), ignored, found: undefined }
    const exposed = response.getHeader(EXPOSED_HEADERS)
    const isLeft = call()
    const found = Number(response.getHeader(COUNT))
    const { data }: Record<string, unknown> = response.locals
    response.locals.data = [data].flat()[0]
    // json-server says them of a page.
    response.removeHeader(COUNT)
    if (exposed === undefined) response.removeHeader(EXPOSED_HEADERS)
    else response.setHeader(EXPOSED_HEADERS, exposed)
    return { isLeft, ignored, found }
  }
  return hasPatterns(sent) ? runPatterns(read, collection.length) : read()
}

const COUNT = 'X-Total-Count'
