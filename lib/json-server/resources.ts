import type { Request, RequestHandler } from 'express'
import jsonServer, { type Database, type JsonServerRouter } from 'json-server'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { type Data, validData } from '../data/valid-data'
import { isRecord } from '../is-record'
import { bindState, openDatabase } from './database'
import { givesStored } from './gives-stored'
import { boundedFilter } from './lists/bounded-filter'
import { listFunctions } from './lists/list-functions'
import { relations } from './lists/relations'
import { CurrentSearch } from './lists/search'
import { collectionFunctions } from './records/collection-functions'
import { Collections } from './records/collections'
import { checkRequest } from './requests/request-guard'
import { adaptLayers, type GuardOf, replaceLists } from './router-layers'
import { waitForWrites } from './wait-for-writes'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /**
   * Called with the address of the resource or the record that the router has found for a request, or
   * undefined where the request reads or changes another one than its address says.
   *
   * @throws HttpError 401 when the request may not go there
   */
  requireAccess: (request: Request, place: string | undefined) => void
}

/**
 * The generic resource layer: json-server's router over whatever data there is at the moment, adapted so that
 * the response to a change waits until it is durable, its errors go to the error handler, and records are
 * found by an index.
 */
export class Resources {
  readonly #options: ResourcesOptions
  readonly #data: DataSource
  readonly #collections: Collections
  #router: JsonServerRouter
  /** The state and the names that the router was made for. */
  #routed: { state: Data; names: string }
  #database: Database | undefined

  /** @throws Error when json-server is not version 0.17.4 */
  constructor(options: ResourcesOptions) {
    this.#options = options
    this.#data = options.data
    this.#collections = new Collections({
      data: options.data,
      idProperty: () => this.#idProperty,
      createId: (collection) => this.#openDatabase()._.createId(collection),
    })
    this.#router = this.#newRouter()
    this.#routed = { state: this.#data.state, names: namesIn(this.#data.state) }
  }

  /**
   * Gives the data to code that is not ours, which may change it in any way from then on: nothing about it is
   * cached any more.
   */
  shareDatabase(): Database {
    this.#data.share()
    return this.#openDatabase()
  }

  /** The records of a collection as they are now, or undefined when there is no such collection. */
  records(name: string): readonly unknown[] | undefined {
    const collection = Object.hasOwn(this.#data.state, name) ? this.#data.state[name] : undefined
    return Array.isArray(collection) ? collection : undefined
  }

  /** One collection as the public reads see it. */
  collection(name: string): PublicCollection {
    return {
      records: () => this.records(name),
      find: (id) => this.#find(name, id),
      onReload: (listener) => this.#data.on('reload', listener),
      revision: () => (this.#data.isShared ? undefined : this.#data.revision),
    }
  }

  /** The request handler: json-server's router, whichever it is at the moment. */
  readonly handle: RequestHandler = (request, response, next) => {
    this.#options.requireAccess(request, request.path)
    if (request.method !== 'GET' && request.method !== 'HEAD') this.#data.refresh()
    if (givesStored(request, response)) this.#data.share()
    this.#followNames()
    this.#router(request, response, next)
  }

  /** A user's middleware may set another one, as with json-server. */
  get #idProperty(): string {
    return this.#database?._.id ?? this.#options.idProperty
  }

  #openDatabase(): Database {
    this.#database ??= openDatabase(this.#data, this.#options.idProperty)
    return this.#database
  }

  /** A number finds only the same number, even where another record has its digits as a string. */
  #find(name: string, id: string | number): unknown {
    const records = this.records(name)
    const found = this.#collections.find(records, id)
    const isId = (record: unknown) => isRecord(record) && record[this.#idProperty] === id
    return typeof id === 'string' || found === undefined || isId(found) ? found : records?.find(isId)
  }

  /**
   * Makes another router for other resources: json-server gives routes to those that are there when it makes
   * one.
   */
  #followNames(): void {
    const { state, isShared } = this.#data
    if (state === this.#routed.state && !isShared) return
    const names = namesIn(state)
    if (names !== this.#routed.names) this.#router = this.#newRouter()
    this.#routed = { state, names }
  }

  #newRouter(): JsonServerRouter {
    const { foreignKeySuffix, requireAccess } = this.#options
    const router = jsonServer.router(validData(this.#data.state, 'The data'), { foreignKeySuffix })
    const { db } = router
    const names = Object.keys(this.#data.state).filter((name) => name !== '$schema')
    const collections = this.#collections
    const search = new CurrentSearch()
    const filter = boundedFilter(db._.filter, search)
    const cacheOf = (collection: readonly unknown[]) => collections.cacheOf(collection)
    const lists = listFunctions({ lodash: db._, search, cacheOf })
    const withRelations = relations({
      state: () => this.#data.state,
      foreignKeySuffix,
      get: db._.get,
      filter,
      finder: (collection) => collections.finder(collection),
    })
    replaceLists(router, (list, position) => withRelations(list, names[position] ?? ''))
    waitForWrites(router, () => this.#data.commit())
    const guardOf: GuardOf = (kind, position) => (request, _response, next) => {
      const name = names[position] ?? ''
      requireAccess(request, readsOthers(request.query) ? undefined : placeOf(name, request.path))
      checkRequest(request, kind, this.#idProperty)
      if (['POST', 'PUT', 'PATCH'].includes(request.method)) this.#data.makeRoom(request.body)
      const records = this.records(name)
      if (records !== undefined) lists.hideUnknown(request.query, records)
      search.during(request.query, next)
    }
    adaptLayers(router, guardOf, (request, _response, next) => {
      requireAccess(request, undefined)
      next()
    })
    bindState(db, this.#data)
    const functions = collectionFunctions(collections, foreignKeySuffix)
    db._.mixin({ ...functions, filter, orderBy: lists.orderBy })
    return router
  }
}

/** The address of a resource or of a record in it. @param path that which follows the name of the resource */
function placeOf(name: string, path: string): string {
  return `/${name}${path === '/' ? '' : path}`
}

/** Whether a query asks for records of other collections. */
function readsOthers({ _embed, _expand }: Request['query']): boolean {
  return _embed !== undefined || _expand !== undefined
}

/** The names of all resources and what each is: what json-server's routes depend on. */
function namesIn(state: Data): string {
  return Object.entries(state)
    .map(([name, resource]) => `${name} ${Array.isArray(resource) ? 'array' : typeof resource}`)
    .join('/')
}
