import type { Access } from '../auth/access'
import { notesOf } from '../http/notes'
import { isRead } from '../http/request'
import { resourcesAt } from './addresses'
import { findInside, INSIDE, type NestedPlace } from './inside'
import { prepareList } from './list-query'
import type { MissingHint } from './missing-hints'
import { pathParts, relatedRecord, relationsAt } from './nested-path'
import { runPatterns } from './pattern-time'
import { asksForRelations, checkListQuery, checkRelations, hasPatterns } from './query-checks'
import type { QueryHint } from './query-hints'
import { addRelations } from './relations'
import { type Exchange, Routers } from './routers'

export interface RoutingOptions {
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked whether a request may go to the resource that it has come to. */
  access: Access
  /** Whether lists and objects that are nested in the data have paths. */
  nested: boolean
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

/**
 * Refuses nobody what is somebody's, on its own or through the record of another, before anything is looked for: what is
 * there and what is not are the same to them.
 *
 * @throws HttpError 401
 */
function requireSomebody({ request: { method, path }, transaction: { state, options } }: Exchange): void {
  const { owner } = options
  if (owner === undefined) return
  const names = [
    ...resourcesAt(path.split('/')[1] ?? '', state),
    ...relationsAt(pathParts(path) ?? [], state),
  ]
  for (const name of names) owner.requireSomebody(name, method)
}

/** Finds the resource that a request is for, checks the request, and calls json-server's router of that resource. */
export class Routing {
  readonly #routers: Routers
  private readonly options: RoutingOptions

  constructor(options: RoutingOptions) {
    this.options = options
    this.#routers = new Routers(options)
  }

  /**
   * Calls json-server's routers, which put the resource into `response.locals.data`.
   *
   * @returns whether they leave the response to be sent
   * @throws HttpError when the request is not allowed, or json-server would fail on it
   */
  route(exchange: Exchange): boolean {
    const { request, response, transaction } = exchange
    const { method, path, query } = request
    const { state } = transaction
    // json-server's /db
    if (isRead(request) && DATABASE_PATH.test(path)) {
      this.options.access.require(request, path)
      response.locals.data = state
      return true
    }
    requireSomebody(exchange)
    const isDeep = DEEP_PATH.test(path)
    // It comes first, because json-server changes the query or the body of a request for which it then finds nothing.
    const nested = isDeep ? this.#findNested(exchange) : undefined
    if (nested?.call) return nested.call()
    if (isDeep && !this.#routers.callNested(exchange)) return false
    const [, asked = '', rest = ''] = MOUNTED_PATH.exec(request.path) ?? []
    // If names differ only in case, json-server calls the routers of all of them, unless one responds.
    const names = resourcesAt(asked, state)
    for (const name of names) {
      const isAsSent = path === `/${name}${rest}` && !asksForRelations(request.query)
      this.options.access.require(request, isAsSent ? path : undefined)
      if (!this.#routeTo(name, rest, exchange)) return false
    }
    if (!response.locals.data) {
      const { call, reason } = nested ?? this.#findNested(exchange)
      if (call) return call()
      const { missingHint } = this.options
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
    const { nested, access } = this.options
    // After a record, json-server takes one slash alone.
    const isOfList = request.path.endsWith('//')
    if (relationsAt(parts, transaction.state).length > 0) {
      const related = nested && isRead(request) && !isOfList ? relatedRecord(parts, transaction) : undefined
      if (related === undefined || access.hasGrant(request)) return {}
      return { call: () => this.#routeTo(related.collection, related.rest, exchange) }
    }
    const { place, reason } = findInside(parts, transaction, notesOf(request).prefix)
    if (place === undefined) return { reason }
    if (isOfList && place.rest !== '') return {}
    if (!nested) return { reason: BESIDE_MIDDLEWARES }
    // In a rule, `:id` stands for an id, and never for a field.
    const isOpen = !access.hasGrant(request) || place.rest !== '' || access.isNamed(request)
    return isOpen ? { call: () => this.#routeInside(place, exchange) } : {}
  }

  #routeInside(place: NestedPlace, { request, response }: Exchange): boolean {
    this.options.access.require(request, request.path)
    const notes = notesOf(request)
    if (asksForRelations(request.query)) {
      // json-server would put an empty list in the place of one that is there.
      const { _embed, _expand, ...query } = request.query
      request.query = query
      notes.reason = '_embed and _expand act at the top of the data alone'
    }
    const isLeft = this.#routeTo(INSIDE, place.rest, { request, response, transaction: place.transaction })
    place.store()
    if (isLeft && !response.locals.data) notes.reason = place.reasonFor(request.method)
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
      return collection !== undefined && isRead(request) && LIST_OR_RECORD.test(rest)
        ? this.#read(name, collection, exchange)
        : this.#routers.call(name, collection !== undefined, exchange)
    } finally {
      request.url = url
    }
  }

  /** Calls json-server's router for a list or a record of a collection. */
  #read(name: string, collection: readonly unknown[], exchange: Exchange): boolean {
    const { request, response, transaction } = exchange
    const { query } = request
    const isList = request.url === '/'
    if (asksForRelations(query)) checkRelations(query)
    if (isList) checkListQuery(query)
    // The handler takes from the query what it reads.
    const asked = { ...query }
    const ignored = isList ? prepareList(query, collection, transaction) : []
    const call = () => this.#routers.call(name, true, exchange)
    const isLeft = isList && hasPatterns(query) ? runPatterns(call, collection.length) : call()
    const { data: resource } = response.locals
    if (resource === undefined) return isLeft
    if (asksForRelations(asked)) addRelations(resource, name, asked, transaction)
    const { state } = transaction
    const reason = this.options.queryHint?.({ name, collection, query: asked, ignored, resource, state })
    if (reason !== undefined) notesOf(request).reason = reason
    return isLeft
  }
}
