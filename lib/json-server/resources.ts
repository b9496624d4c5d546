import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Database } from 'json-server'
import type { Visitors } from '../auth/visitors'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { resourceNames } from '../data/valid-data'
import { logNotes } from '../http/log/log-notes'
import { isRead } from '../http/request'
import { isRecord } from '../is-record'
import { indexesFor } from './collection-index'
import { openDatabase } from './database'
import type { Exchange } from './exchange'
import { checkBody } from './guards'
import { asksForRelations } from './query-checks'
import { prepareRead } from './reads'
import { sendResource, textOf } from './response'
import type { Routers } from './routers'
import { Transaction } from './transaction'
import { whyMissing } from './why-missing'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked whether a request may go to the resource that it has come to. */
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

  /**
   * Gives the data to code that is not ours, which may change it in any way from then on: nothing about it is
   * cached any more.
   */
  shareDatabase(): Database {
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
      find: (id) => {
        const records = this.records(name) ?? []
        const found = indexesFor(this.#data.isShared).of(records, this.#idProperty).find(id)
        // A number finds only that number, even if another record has its digits.
        const isSame = (record: unknown) => isRecord(record) && record[this.#idProperty] === id
        return typeof id === 'string' || found === undefined || isSame(found) ? found : records.find(isSame)
      },
      onReload: (listener) => this.#data.on('reload', listener),
      onShare: (listener) => this.#data.on('share', listener),
      revision: () => (this.#data.isShared ? undefined : this.#data.revision),
    }
  }

  /** A user's middleware may set another one, as with json-server. */
  get #idProperty(): string {
    return this.#database?._.id ?? this.options.idProperty
  }

  #beginTransaction(request: Request): Transaction {
    const { state, isShared } = this.#data
    const { foreignKeySuffix } = this.options
    return new Transaction({
      state,
      idProperty: this.#idProperty,
      foreignKeySuffix,
      indexes: indexesFor(isShared),
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

  /** What is done at once, so that no other request comes between. An error takes back what was changed. */
  #respond(request: Request, response: Response, next: NextFunction): void {
    if (isRead(request) && DATABASE_PATH.test(request.path)) {
      this.#sendAll(request, response)
      return
    }
    // Relations are added to copies, and shared data may change unnoticed.
    const isOfStoredRecords = !this.#data.isShared && !asksForRelations(request.query)
    const transaction = this.#beginTransaction(request)
    let text: Buffer | undefined
    try {
      if (!this.#route({ request, response, transaction })) return
      if (transaction.hasChanges) text = textOf(request, response.locals.data)
    } catch (error) {
      transaction.rollBack()
      throw error
    }
    // The response reports this change, whatever happens to the data while the write is under way. The data
    // source takes back what it cannot write.
    const send = () => sendResource(request, response, { text, isOfStoredRecords })
    if (transaction.hasChanges) this.#data.save().then(send).catch(next)
    else send()
  }

  /** json-server's `/db`. */
  #sendAll(request: Request, response: Response): void {
    this.options.visitors.requireAccess(request, request.path)
    const { state, isShared } = this.#data
    response.locals.data = state
    // Other code may have put anything into the data, and another number of spaces may be set.
    const isAsInFile = !isShared && request.app.get('json spaces') === 2
    const text = isAsInFile ? Buffer.concat(this.#data.serialise()) : undefined
    sendResource(request, response, { text })
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
    for (const name of names) {
      const isAsSent = path === `/${name}${rest}` && !asksForRelations(request.query)
      this.options.visitors.requireAccess(request, isAsSent ? path : undefined)
      if (!this.#routeTo(name, rest, exchange)) return false
    }
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
    const resource = this.#data.state[name]
    const isCollection = Array.isArray(resource)
    const pathBehind = rest === '' ? '/' : rest
    const finishRead =
      isCollection && isRead(request) && isListOrRecord
        ? prepareRead(exchange, { name, collection: resource, isList: pathBehind === '/' })
        : undefined
    request.url = pathBehind
    try {
      const leavesResponse = this.options.routers.call(name, isCollection, exchange)
      finishRead?.()
      return leavesResponse
    } finally {
      request.url = url
    }
  }
}
