import type { RequestHandler } from 'express'
import type { Database, JsonServerRouter } from 'json-server'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import type { Data } from '../data/valid-data'
import { adaptedRouter, type RouterOptions } from './adapted-router'
import { openDatabase } from './database'
import { givesStored } from './gives-stored'
import { Collections } from './records/collections'

export interface ResourcesOptions extends Omit<RouterOptions, 'collections'> {
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
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
    return this.#collections.named(name)
  }

  /** One collection as the public reads see it. */
  collection(name: string): PublicCollection {
    return {
      records: () => this.records(name),
      find: (id) => this.#collections.findSame(this.records(name), id),
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
    return adaptedRouter({ ...this.#options, collections: this.#collections })
  }
}

/** The names of all resources and what each is: what json-server's routes depend on. */
function namesIn(state: Data): string {
  return Object.entries(state)
    .map(([name, resource]) => `${name} ${Array.isArray(resource) ? 'array' : typeof resource}`)
    .join('/')
}
