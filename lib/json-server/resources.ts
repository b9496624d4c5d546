import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Database } from 'json-server'
import type { Visitors } from '../auth/visitors'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { resourceNames } from '../data/valid-data'
import { logNotes } from '../http/log/log-notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { indexOf } from './collection-index'
import { openDatabase } from './database'
import { checkBody } from './guards'
import type { Hints } from './hints'
import { runInLimitedTime } from './limited-time'
import { prepareList } from './list-query'
import { asksForRelations, checkListQuery, checkRelations, hasPatterns } from './query-checks'
import { addRelations } from './relations'
import { responseWith } from './response'
import type { Exchange, Routers } from './routers'
import { Transaction } from './transaction'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Whether a DELETE also removes the records that refer to the one that it names. */
  cascade: boolean
  /** Asked whether a request may go to the resource that it has come to. */
  visitors: Visitors
  /** Those of all data that is served with the same options. */
  routers: Routers
  /** Say in the log why there is nothing, and what json-server has ignored. */
  hints: Hints
}

const DATABASE_PATH = /^\/db\/?$/i

/**
 * A path of three segments or more: asking json-server's nested router about any other would add 2 % to a GET
 * of a record.
 */
const DEEP_PATH = /^\/[^/]+\/[^/]+\/[^/]/

/**
 * A name, and the path behind it, as Express divides the path of a router that is mounted at `/name`: one
 * slash more than needed belongs to the name.
 */
const MOUNTED_PATH = /^\/([^/]*)\/?(?=\/|$)(.*)$/s

/** What is behind the name in the path of a list or of a record. */
const LIST_OR_RECORD = /^\/?(?:[^/]+\/?)?$/

/**
 * The generic resource layer: json-server's routers over whatever data there is at the moment. Finding the
 * resource, the checks, and the wait until a change is durable are ours.
 */
export class Resources {
  readonly #data: DataSource
  /** The database of code that is not ours, once it has asked for it. */
  #database: Database | undefined

  private readonly options: ResourcesOptions

  constructor(options: ResourcesOptions) {
    this.options = options
    this.#data = options.data
  }

  /** json-server's own database over the data, for code that is not ours. */
  get database(): Database {
    this.#data.share()
    this.#database ??= openDatabase(this.#data, this.options.idProperty)
    return this.#database
  }

  /** The records of a collection as they are now, or undefined when there is no such collection. */
  records(name: string): readonly unknown[] | undefined {
    const { state, isShared } = this.#data
    const records = state[name]
    if (!Array.isArray(records)) return undefined
    // Code that has the database may change it: what is made of a copy is not remembered.
    return isShared ? [...records] : records
  }

  /** One collection as the public reads see it. */
  collection(name: string): PublicCollection {
    return {
      records: () => this.records(name),
      loaded: () => {
        const records = this.#data.loaded[name]
        return Array.isArray(records) ? records : undefined
      },
      find: (id) => {
        const records = this.records(name) ?? []
        const found = indexOf(records, this.#idProperty).find(id)
        // A number finds only that number, even if another record has its digits.
        const isSame = (record: unknown) => isRecord(record) && record[this.#idProperty] === id
        return typeof id === 'string' || found === undefined || isSame(found) ? found : records.find(isSame)
      },
    }
  }

  /** A user's middleware may set another one, as with json-server. */
  get #idProperty(): string {
    return this.#database?._.id ?? this.options.idProperty
  }

  #beginTransaction(request: Request): Transaction {
    const { state, isShared } = this.#data
    return new Transaction({
      state,
      isShared,
      idProperty: this.#idProperty,
      foreignKeySuffix: this.options.foreignKeySuffix,
      cascade: this.options.cascade,
      checkBody: () => checkBody(request),
    })
  }

  /**
   * The way of a request: the newest data before a change, json-server's router of
   * the resource that it leads to, the wait until a change is durable, the response.
   */
  readonly handle: RequestHandler = (request, response, next) => {
    const respond = () => this.#respond(request, response, next)
    const refreshed = isRead(request) ? undefined : this.#data.refresh()
    if (refreshed === undefined) respond()
    else refreshed.then(respond).catch(next)
  }

  /** What is done at once, so that no other request comes between. An error leaves the data as it is. */
  #respond(request: Request, response: Response, next: NextFunction): void {
    const transaction = this.#beginTransaction(request)
    const { locals } = response
    // A user's middleware may look at what is put into its own: json-server gets others for stored records.
    response.locals = { data: locals.data }
    let resource: unknown
    try {
      if (!this.#route({ request, response, transaction })) return
      resource = response.locals.data
    } finally {
      response.locals = locals
    }
    const send = responseWith(request, response, resource)
    if (transaction.hasChanges) this.#data.commit(transaction.state).then(send).catch(next)
    else send()
  }

  /** Calls json-server's routers: whether they leave the response to be sent. */
  #route(exchange: Exchange): boolean {
    const { request, response, transaction } = exchange
    const { method, path, url: target, query } = request
    const { state } = transaction
    // json-server's /db
    if (isRead(request) && DATABASE_PATH.test(path)) {
      this.options.visitors.requireAccess(request, path)
      response.locals.data = state
      return true
    }
    if (DEEP_PATH.test(path) && !this.options.routers.callNested(exchange)) return false
    const [, asked, rest = ''] = MOUNTED_PATH.exec(request.path) ?? []
    const lowerCase = asked?.toLowerCase()
    const isAsked = (name: string) => name.toLowerCase() === lowerCase
    // If names differ only in case, json-server calls the routers of all of them, unless one responds.
    const names = resourceNames(state).filter(isAsked)
    for (const name of names) {
      const isAsSent = path === `/${name}${rest}` && !asksForRelations(request.query)
      this.options.visitors.requireAccess(request, isAsSent ? path : undefined)
      if (!this.#routeTo(name, rest, exchange)) return false
    }
    if (!response.locals.data) {
      const missing = { method, path, target, query, state, found: names[0] }
      logNotes(response).reason = this.options.hints.ofMissing(missing)
    }
    return true
  }

  /**
   * Calls json-server's router of a resource: whether it leaves the response to be sent.
   *
   * @param rest the path behind the name, which may be empty
   */
  #routeTo(name: string, rest: string, exchange: Exchange): boolean {
    const { request, transaction } = exchange
    const { url } = request
    const isListOrRecord = LIST_OR_RECORD.test(rest)
    const collection = transaction.collection(name)
    const pathBehind = rest === '' ? '/' : rest
    request.url = pathBehind
    try {
      const call = () => this.options.routers.call(name, collection !== undefined, exchange)
      if (collection === undefined || !isRead(request) || !isListOrRecord) return call()
      return this.#read(name, collection, exchange, { isList: pathBehind === '/', call })
    } finally {
      request.url = url
    }
  }

  /** Calls json-server's router for a list or a record of a collection. */
  #read(
    name: string,
    collection: readonly unknown[],
    { request, response, transaction }: Exchange,
    { isList, call }: { isList: boolean; call: () => boolean },
  ): boolean {
    const { query } = request
    if (asksForRelations(query)) checkRelations(query)
    if (isList) checkListQuery(query)
    // The handler takes from the query what it reads.
    const asked = { ...query }
    const ignored = isList ? prepareList(query, name, collection, transaction) : []
    const isLeft = isList && hasPatterns(query) ? runInLimitedTime(call, collection.length) : call()
    const { data: resource } = response.locals
    if (resource === undefined) return isLeft
    if (asksForRelations(asked)) {
      const { idProperty, foreignKeySuffix } = transaction.options
      const others = (other: string) => transaction.collection(other)
      addRelations(resource, { name, query: asked, collection: others, idProperty, foreignKeySuffix })
    }
    const { state } = transaction
    const reason = this.options.hints.ofRead({ name, collection, query: asked, ignored, resource, state })
    if (reason !== undefined) logNotes(response).reason = reason
    return isLeft
  }
}
