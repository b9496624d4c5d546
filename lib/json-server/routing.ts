import type { Visitors } from '../auth/visitors'
import { notesOf } from '../http/notes'
import { isRead } from '../http/request'
import { resourcesAt } from './addresses'
import { prepareList } from './list-query'
import type { MissingHint } from './missing-hints'
import { runPatterns } from './pattern-time'
import { asksForRelations, checkListQuery, checkRelations, hasPatterns } from './query-checks'
import type { QueryHint } from './query-hints'
import { addRelations } from './relations'
import { type Exchange, Routers } from './routers'

export interface RoutingOptions {
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked whether a request may go to the resource that it has come to. */
  visitors: Visitors
  missingHint: MissingHint
  queryHint: QueryHint
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
    const { method, path, url: target, query } = request
    const { state } = transaction
    // json-server's /db
    if (isRead(request) && DATABASE_PATH.test(path)) {
      this.options.visitors.requireAccess(request, path)
      response.locals.data = state
      return true
    }
    if (DEEP_PATH.test(path) && !this.#routers.callNested(exchange)) return false
    const [, asked = '', rest = ''] = MOUNTED_PATH.exec(request.path) ?? []
    // If names differ only in case, json-server calls the routers of all of them, unless one responds.
    const names = resourcesAt(asked, state)
    for (const name of names) {
      const isAsSent = path === `/${name}${rest}` && !asksForRelations(request.query)
      this.options.visitors.requireAccess(request, isAsSent ? path : undefined)
      if (!this.#routeTo(name, rest, exchange)) return false
    }
    if (!response.locals.data) {
      const notes = notesOf(request)
      const missing = { method, path, target, sent: notes.sentTarget, query, state, found: names[0] }
      notes.reason = this.options.missingHint(missing)
    }
    return true
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
    const reason = this.options.queryHint({ name, collection, query: asked, ignored, resource, state })
    if (reason !== undefined) notesOf(request).reason = reason
    return isLeft
  }
}
