import type { NextFunction, Request, RequestHandler, Response } from 'express'
import jsonServer, { type JsonServerRouter } from 'json-server'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { boundedFilter } from './bounded-filter'
import { CollectionFunctions } from './collection-functions'
import { holdsToString } from './holds-to-string'
import { nestedResources } from './nested-resources'
import { adaptLayers } from './router-layers'
import { safeComparisons } from './safe-comparisons'

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
  readonly #data: DataSource
  readonly #idProperty: string
  readonly #foreignKeySuffix: string
  #router: JsonServerRouter
  #functions: CollectionFunctions
  #revision = 0
  /** Whether somebody else has the database in hand and may change it at any time, without a word. */
  #isShared = false
  /** Whether the request that a resource is busy with, all in one turn, has a `_like`. */
  #hasPattern = false
  /** The answer to that request, until it has caused a write. */
  #answering: Response | undefined
  /** The write that holds the change that an answer reports. */
  readonly #writes = new WeakMap<Response, Promise<unknown>>()

  /** @throws Error when json-server is not version 0.17.4 */
  constructor({ data, idProperty, foreignKeySuffix }: ResourcesOptions) {
    this.#data = data
    this.#idProperty = idProperty
    this.#foreignKeySuffix = foreignKeySuffix
    ;({ router: this.#router, functions: this.#functions } = this.#build())
    // Other data can have other collections, and json-server makes a route for each when it is built.
    data.on('reload', () => {
      this.#revision += 1
      ;({ router: this.#router, functions: this.#functions } = this.#build())
    })
    data.on('rollback', () => {
      this.#revision += 1
      this.#router.db.setState(data.state)
    })
  }

  /** The database that json-server's router works on at the moment, for code that is not ours. */
  get database(): JsonServerRouter['db'] {
    this.#isShared = true
    return this.#router.db
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
      find: (id) => {
        const record = this.#functions.find(this.records(name), id)
        return typeof id === 'number' && record?.[this.#idProperty] !== id ? undefined : record
      },
      onReload: (listener) => this.#data.on('reload', listener),
      revision: () => this.#revision,
    }
  }

  /** The request handler: json-server's router, whichever it is at the moment. */
  readonly handle: RequestHandler = (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') this.#data.refresh()
    if (this.#isShared) this.#functions.forget()
    this.#router(request, response, next)
  }

  /** The name as it stands in the data: Express matches paths in whatever case. */
  #resolve(name: string): string | undefined {
    const { state } = this.#data
    if (name !== '$schema' && Object.hasOwn(state, name)) return name
    const folded = name.toLowerCase()
    return Object.keys(state).find((key) => key !== '$schema' && key.toLowerCase() === folded)
  }

  #build(): { router: JsonServerRouter; functions: CollectionFunctions } {
    const router = jsonServer.router(this.#data.state, { foreignKeySuffix: this.#foreignKeySuffix })
    adaptLayers(router, {
      enter: (request, response, next) => this.#enter(request, response, next),
      nested: nestedResources({
        records: (name) => this.records(this.#resolve(name) ?? name),
        find: (name, id) => this.#functions.find(this.records(this.#resolve(name) ?? name), id),
        idProperty: this.#idProperty,
        foreignKeySuffix: this.#foreignKeySuffix,
      }),
    })
    const { db } = router
    const functions = new CollectionFunctions({
      idProperty: this.#idProperty,
      createId: db._.createId.bind(db._),
      onChange: (record) => this.#data.changed(record),
    })
    db._.id = this.#idProperty
    db._.mixin(functions.mixins())
    if (holdsToString(this.#data.state)) db._.mixin(safeComparisons(db._))
    db._.mixin(boundedFilter(db._, () => this.#hasPattern))
    db.write = (value) => (functions.settle() ? this.#write(value) : value)
    router.render = (request, response) => this.#render(request, response)
    return { router, functions }
  }

  #enter(request: Request, response: Response, next: NextFunction): void {
    this.#hasPattern = Object.keys(request.query).some((name) => name.endsWith('_like'))
    this.#answering = response
    next()
  }

  #write(value: unknown): Promise<unknown> {
    this.#revision += 1
    const written = this.#data.commit().then(() => value)
    // The router drops this promise; `render` takes it up again, after a turn or two.
    written.catch(() => {})
    if (this.#answering !== undefined) {
      const { locals } = this.#answering
      // The record goes on changing while the write is under way; the answer reports this change.
      locals.data = structuredClone(locals.data)
      this.#writes.set(this.#answering, written)
    }
    this.#answering = undefined
    return written
  }

  #render(request: Request, response: Response): void {
    const send = () => response.jsonp(response.locals.data)
    const write = this.#writes.get(response)
    if (write === undefined) send()
    else
      write.then(send).catch((error: unknown) => {
        // json-server names the address of a record before it is known whether the record could be saved.
        response.removeHeader('Location')
        request.next?.(error)
      })
  }
}
