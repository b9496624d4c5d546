import type { Request, RequestHandler } from 'express'
import type { Database } from 'json-server'
import type { Visitors } from '../auth/visitors'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { resourceNames } from '../data/valid-data'
import { logNotes } from '../http/log/log-notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { openDatabase } from './database'
import type { Exchange } from './exchange'
import { checkBody } from './guards'
import { runInLimitedTime } from './limited-time'
import { asksForRelations, hasPatterns } from './query-checks'
import { checkRead } from './reads'
import { explainTooLarge, sendResource } from './response'
import type { Routers } from './routers'
import { Transaction } from './transaction'
import { whyMissing } from './why-missing'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked for the path of a request, and then for that of the resource or the record that it leads to. */
  visitors: Visitors
  /** Those of all data that is served with the same options. */
  routers: Routers
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
    const records = this.#data.state[name]
    return Array.isArray(records) ? records : undefined
  }

  /** One collection as the public reads see it. */
  collection(name: string): PublicCollection {
    return {
      records: () => this.records(name),
      find: (id) => this.records(name)?.find((record) => isRecord(record) && record[this.#idProperty] === id),
      onReload: (listener) => this.#data.on('reload', listener),
    }
  }

  /** A user's middleware may set another one, as with json-server. */
  get #idProperty(): string {
    return this.#database?._.id ?? this.options.idProperty
  }

  #beginTransaction(request: Request): Transaction {
    return new Transaction({
      state: this.#data.state,
      idProperty: this.#idProperty,
      foreignKeySuffix: this.options.foreignKeySuffix,
      isShared: this.#data.isShared,
      checkBody: () => checkBody(request),
    })
  }

  /**
   * The way of a request: whether it may go there, the newest data before a change, json-server's router of
   * the resource that it leads to, the wait until a change is durable, the response.
   */
  readonly handle: RequestHandler = (request, response, next) => {
    this.options.visitors.requireAccess(request, request.path)
    if (!isRead(request)) this.#data.refresh()
    const transaction = this.#beginTransaction(request)
    const send = () => sendResource(request, response)
    try {
      if (isRead(request) && DATABASE_PATH.test(request.path)) response.locals.data = this.#data.state
      else if (!this.#route({ request, response, transaction })) return
      if (!transaction.hasChanges) return send()
    } catch (error) {
      throw explainTooLarge(error)
    }
    this.#data.commit(transaction.state).then(send).catch(next)
  }

  /** Calls json-server's routers: whether they leave the response to be sent. */
  #route(exchange: Exchange): boolean {
    const { request, response } = exchange
    const { method, path } = request
    if (DEEP_PATH.test(path) && !this.options.routers.callNested(exchange)) return false
    const [, asked, rest = ''] = MOUNTED_PATH.exec(request.path) ?? []
    const lowerCase = asked?.toLowerCase()
    const isAsked = (name: string) => name.toLowerCase() === lowerCase
    const { state } = this.#data
    // If names differ only in case, json-server calls the routers of all of them, unless one responds.
    const names = resourceNames(state).filter(isAsked)
    for (const name of names) if (!this.#routeTo(name, rest, exchange)) return false
    if (!response.locals.data) logNotes(response).reason = whyMissing(method, path, state, names[0])
    return true
  }

  /**
   * Calls json-server's router of a resource: whether it leaves the response to be sent.
   *
   * @param rest the path behind the name, which may be empty
   */
  #routeTo(name: string, rest: string, exchange: Exchange): boolean {
    const { request } = exchange
    const { url } = request
    const isListOrRecord = LIST_OR_RECORD.test(rest)
    const canBeAllowed = isListOrRecord && !asksForRelations(request.query)
    this.options.visitors.requireAccess(request, canBeAllowed ? `/${name}${rest}` : undefined)
    const resource = this.#data.state[name]
    const isCollection = Array.isArray(resource)
    const pathBehind = rest === '' ? '/' : rest
    const isList = pathBehind === '/'
    if (isCollection && isRead(request) && isListOrRecord)
      checkRead(exchange, { collection: resource, isList })
    request.url = pathBehind
    if (isList && request.query._page !== undefined)
      Object.defineProperty(request.query, '_page', { enumerable: false })
    try {
      let leavesResponse = false
      const call = () => {
        leavesResponse = this.options.routers.call(name, isCollection, exchange)
      }
      if (isCollection && isList && hasPatterns(request.query)) runInLimitedTime(call, resource.length)
      else call()
      return leavesResponse
    } finally {
      request.url = url
    }
  }
}
