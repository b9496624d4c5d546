import type { NextFunction, Request, RequestHandler, Response } from 'express'
import jsonServer, { type Database, type JsonServerRouter } from 'json-server'
import { type Data, type DataSource, validData } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { isRecord } from '../is-record'
import { boundedFilter } from './bounded-filter'
import { CollectionFunctions } from './collection-functions'
import { bindState, openDatabase } from './database'
import { holdsToString } from './holds-to-string'
import { nestedResources } from './nested-resources'
import { adaptLayers } from './router-layers'
import { safeComparisons } from './safe-comparisons'
import { waitForWrites } from './wait-for-writes'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
}

/**
 * The generic resource layer: json-server's router over whatever data there is at the moment, adapted so that a change is
 * answered when it is durable, its errors go to the error handler, and records are found by an index.
 */
export class Resources {
  readonly #options: ResourcesOptions
  readonly #data: DataSource
  readonly #functions: CollectionFunctions
  #router: JsonServerRouter
  /** What the router has been made for. */
  #routed: { state: Data; names: string }
  #database: Database | undefined
  /** Whether the request that a resource is busy with, all in one turn, has a `_like`. */
  #hasPattern = false

  /** @throws Error when json-server is not version 0.17.4 */
  constructor(options: ResourcesOptions) {
    this.#options = options
    this.#data = options.data
    this.#functions = new CollectionFunctions({
      ...options,
      idProperty: () => this.#idProperty,
      createId: (collection) => this.#openDatabase()._.createId(collection),
    })
    this.#router = this.#newRouter()
    this.#routed = { state: this.#data.state, names: namesIn(this.#data.state) }
  }

  /** The data for code that is not ours, which may change it in any way from then on. */
  get database(): Database {
    this.#data.share()
    return this.#openDatabase()
  }

  /** The records of a collection as they are now, or undefined when there is no such collection. */
  records(name: string): readonly unknown[] | undefined {
    const collection = Object.hasOwn(this.#data.state, name) ? this.#data.state[name] : undefined
    return Array.isArray(collection) ? collection : undefined
  }

  /** Whether the router serves a resource under this name, in whatever case, and of which kind. */
  kindOf(name: string): 'collection' | 'singular' | undefined {
    const found = this.#resolve(name)
    if (found === undefined) return undefined
    return this.records(found) === undefined ? 'singular' : 'collection'
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
    if (request.method !== 'GET' && request.method !== 'HEAD') this.#data.refresh()
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

  /** A number finds only the same number, also beside its digits as a string. */
  #find(name: string, id: string | number): unknown {
    const records = this.records(name)
    const found = this.#functions.find(records, id)
    const isId = (record: unknown) => isRecord(record) && record[this.#idProperty] === id
    return typeof id === 'string' || found === undefined || isId(found) ? found : records?.find(isId)
  }

  /** The name as it stands in the data: Express matches paths in whatever case. */
  #resolve(name: string): string | undefined {
    const { state } = this.#data
    if (name !== '$schema' && Object.hasOwn(state, name)) return name
    const folded = name.toLowerCase()
    return Object.keys(state).find((key) => key !== '$schema' && key.toLowerCase() === folded)
  }

  /** Makes another router for other resources: json-server gives routes to those that are there when it makes one. */
  #followNames(): void {
    const { state, isShared } = this.#data
    if (state === this.#routed.state && !isShared) return
    const names = namesIn(state)
    if (names !== this.#routed.names) this.#router = this.#newRouter()
    this.#routed = { state, names }
  }

  #newRouter(): JsonServerRouter {
    const { foreignKeySuffix } = this.#options
    const router = jsonServer.router(validData(this.#data.state, 'The data'), { foreignKeySuffix })
    adaptLayers(router, {
      enter: (request, response, next) => this.#enter(request, response, next),
      nested: nestedResources({
        records: (name) => this.records(this.#resolve(name) ?? name),
        find: (name, id) => this.#functions.find(this.records(this.#resolve(name) ?? name), id),
        idProperty: this.#idProperty,
        foreignKeySuffix,
      }),
    })
    waitForWrites(router, () => this.#data.commit())
    const { db } = router
    bindState(db, this.#data)
    db._.mixin(this.#functions.mixins())
    if (holdsToString(this.#data.state)) db._.mixin(safeComparisons(db._))
    db._.mixin(boundedFilter(db._, () => this.#hasPattern))
    return router
  }

  #enter(request: Request, _response: Response, next: NextFunction): void {
    this.#hasPattern = Object.keys(request.query).some((name) => name.endsWith('_like'))
    next()
  }
}

/** The names of all resources and what each is: what json-server's routes depend on. */
function namesIn(state: Data): string {
  return Object.entries(state)
    .map(([name, resource]) => `${name} ${Array.isArray(resource) ? 'array' : typeof resource}`)
    .join('/')
}
