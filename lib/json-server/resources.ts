import type { Request, RequestHandler, Response } from 'express'
import type { Database } from 'json-server'
import type { Visitors } from '../auth/visitors'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { resourceNames } from '../data/valid-data'
import { keepReason } from '../http/log/line-notes'
import { decodePath, isRead } from '../http/request'
import { isObject, isRecord } from '../is-record'
import { Collections, standIn, withFields } from './collections'
import { openDatabase } from './database'
import { checkBody } from './guards'
import { chained, type Handlers, lodash, REQUESTED, readHandlers, type Target } from './handlers'
import { asksForRelations, checkRelations, listOf } from './lists'
import { newerParameters, whyIgnored } from './newer-queries'
import { sendResource, textOf } from './response'
import { whyMissing } from './why-missing'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /** Asked for the path of a request, and then for that of the resource or the record that it leads to. */
  visitors: Visitors
}

/** As Express finds it: with a slash at the end, and one more than needed behind the name. */
const RESOURCE_PATH = /^\/([^/]*)(?:\/{0,2}|\/{1,2}([^/]+)\/?)$/
const NESTED_PATH = /^\/(?<resource>[^/]+)\/(?<id>[^/]+)\/(?<nested>[^/]+)\/?$/
const DATABASE_PATH = /^\/db\/?$/i

/**
 * The generic resource layer: json-server's handlers over whatever data there is at the moment. Finding the
 * resource, the checks, and the wait until a change is durable are ours.
 */
export class Resources {
  readonly #data: DataSource
  readonly #ofCollection: Handlers
  readonly #ofSingular: Handlers
  /** Of the request for which json-server's handler is called: it runs to its end at once. */
  #target: Target | undefined
  #database: Database | undefined

  /** @throws Error when json-server is not version 0.17.4 */
  constructor(private readonly options: ResourcesOptions) {
    this.#data = options.data
    const target = () => this.#target
    this.#ofCollection = readHandlers([], target, options.foreignKeySuffix)
    this.#ofSingular = readHandlers({}, target, options.foreignKeySuffix)
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
        const collections = this.#collections()
        const records = this.records(name) ?? []
        const found = collections.index(records).find(id)
        // A number finds only that number, even if another record has its digits.
        const isSame = (record: unknown) => isRecord(record) && record[collections.options.idProperty] === id
        return typeof id === 'string' || found === undefined || isSame(found) ? found : records.find(isSame)
      },
      onReload: (listener) => this.#data.on('reload', listener),
      revision: () => (this.#data.isShared ? undefined : this.#data.revision),
    }
  }

  /** The data for one request. */
  #collections(): Collections {
    const { idProperty, foreignKeySuffix } = this.options
    return new Collections({
      state: this.#data.state,
      // A user's middleware may set another one, as with json-server.
      idProperty: this.#database?._.id ?? idProperty,
      foreignKeySuffix,
      isShared: this.#data.isShared,
    })
  }

  /**
   * The way of a request: whether it may go there, json-server's handler of the resource that it leads to,
   * the wait until a change is durable, the response. An error takes back what has been changed.
   */
  readonly handle: RequestHandler = (request, response, next) => {
    const { method, path } = request
    this.options.visitors.requireAccess(request, path)
    if (!isRead(request)) this.#data.refresh()
    else if (DATABASE_PATH.test(path)) {
      response.locals.data = this.#data.state
      return sendResource(request, response)
    }
    // Stored records never change, so their text is remembered; those with relations are made just now.
    const isStored = !this.#data.isShared && !asksForRelations(request.query)
    const collections = this.#collections()
    let text: string | undefined
    try {
      this.#rewriteNested(request, response)
      const [, asked, id] = RESOURCE_PATH.exec(request.path) ?? []
      const names = this.#named(asked)
      // If names differ only in case, json-server calls the handlers of all of them, unless one responds.
      for (const name of names)
        if (!response.headersSent) this.#call(name, id, collections, request, response)
      if (response.headersSent) return
      if (!response.locals.data && asked !== undefined)
        keepReason(response, () => whyMissing(method, path, this.#data.state, names[0]))
      if (collections.areChanged) text = textOf(request, response.locals.data)
    } catch (error) {
      collections.takeBack()
      throw error
    } finally {
      // It holds all records: when a write fails, there may be no room for them and for those of the file.
      this.#target = undefined
    }
    if (!collections.areChanged) return sendResource(request, response, { isStored })
    // The response reports this change, whatever happens to the data while the write is under way. The data
    // source takes back what it cannot write.
    const send = () => sendResource(request, response, { text })
    this.#data.commit().then(send).catch(next)
  }

  /** Sets the URL of a nested path, such as `/posts/1/comments`, to `/comments`, with a filter or a field. */
  #rewriteNested(request: Request, response: Response): void {
    const { groups } = NESTED_PATH.exec(request.path) ?? {}
    if (groups === undefined) return
    this.options.visitors.requireAccess(request, undefined)
    request.params = lodash().mapValues(groups, decodePath)
    const handler = this.#ofCollection.get('/:resource/:id/:nested')?.get(request.method)
    handler?.(request, response, ignore)
  }

  #named(asked: string | undefined): string[] {
    const isAsked = (name: string) => name.toLowerCase() === asked?.toLowerCase()
    return resourceNames(this.#data.state).filter(isAsked)
  }

  #call(
    name: string,
    id: string | undefined,
    collections: Collections,
    request: Request,
    response: Response,
  ): void {
    const { query } = request
    const hasRelations = asksForRelations(query)
    const place = id === undefined ? `/${name}` : `/${name}/${id}`
    this.options.visitors.requireAccess(request, hasRelations ? undefined : place)
    const resource = this.#data.state[name]
    const isCollection = Array.isArray(resource)
    if (isCollection && id !== undefined) request.params = { id: decodePath(id) }
    const handlers = isCollection ? this.#ofCollection : this.#ofSingular
    const handler = handlers.get(id === undefined ? '/' : '/:id')?.get(request.method)
    if (handler === undefined || !isObject(resource)) return
    if (['POST', 'PUT', 'PATCH'].includes(request.method)) checkBody(request)
    if (isCollection && isRead(request)) {
      checkRelations(query)
      const index = collections.index(resource)
      const list = id === undefined ? listOf(index, query, hasRelations) : undefined
      const newer = newerParameters(query)
      if (newer.length > 0) {
        const hasResource = (name: string) => Object.hasOwn(this.#data.state, name)
        const compared = { hasField: index.hasField.bind(index), hasResource, isList: list !== undefined }
        // A copy: json-server's handler removes the parameters that it reads.
        const asked = { ...query }
        keepReason(response, () => whyIgnored(newer, asked, compared))
      }
      const record = index.find(id && request.params.id)
      const requested = list?.chain ?? {
        getById: () => chained(record && (hasRelations ? standIn(record) : {})),
      }
      const read = collections.reading(name)
      // What json-server's handler gets from its database, under the name that stands for the requested one.
      this.#target = { get: (path) => (path === REQUESTED ? requested : read(path)) }
      handler(request, response, ignore)
      const { data } = response.locals
      response.locals.data = list?.result(data) ?? withFields(record, data) ?? data
    } else {
      this.#target = collections.changing(name)
      handler(request, response, ignore)
    }
  }
}

/** In place of the handler that would be the next: each of json-server's calls it at its end. */
function ignore(): void {}
