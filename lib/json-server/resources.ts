import type { Request, RequestHandler, Response } from 'express'
import type { Database } from 'json-server'
import pluralize from 'pluralize'
import type { DataSource } from '../data/data-source'
import type { PublicCollection } from '../data/public-collection'
import { requireLastingRoomForText } from '../http/heap-room'
import { decodePath, isRead } from '../http/request'
import { isObject } from '../is-record'
import { openDatabase } from './database'
import { chained, type Handlers, REQUESTED, readHandlers, type Target } from './handlers'
import { ListChain } from './lists/list-chain'
import { Relations } from './lists/relations'
import { Changes } from './records/changes'
import { Collections } from './records/collections'
import { checkBody } from './requests/body-guard'
import { asksForRelations, checkListQuery, checkRelations } from './requests/query-guard'
import { isUntouched, sendResource, textOf } from './response'

export interface ResourcesOptions {
  data: DataSource
  /** The name of the id property, as json-server's `--id`. */
  idProperty: string
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /**
   * Called with the path of a request, and then with that of the resource or the record that it leads to, or
   * undefined if the request reads or changes something other than its path says.
   *
   * @throws HttpError 401 when the request may not go there
   */
  requireAccess: (request: Request, place: string | undefined) => void
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
  readonly #options: ResourcesOptions
  readonly #data: DataSource
  readonly #collections: Collections
  readonly #ofCollection: Handlers
  readonly #ofSingular: Handlers
  /** Of the request for which json-server's handler is called: it runs to its end at once. */
  #target: Target | undefined
  #database: Database | undefined

  /** @throws Error when json-server is not version 0.17.4 */
  constructor(options: ResourcesOptions) {
    const { data, idProperty, foreignKeySuffix } = options
    this.#options = options
    this.#data = data
    this.#collections = new Collections({
      data,
      // A user's middleware may set another one, as with json-server.
      idProperty: () => this.#database?._.id ?? idProperty,
      createId: (collection) => this.#openDatabase()._.createId(collection),
    })
    this.#ofCollection = readHandlers([], () => this.#target, foreignKeySuffix)
    this.#ofSingular = readHandlers({}, () => this.#target, foreignKeySuffix)
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
      find: (id) => this.#collections.findSame(this.records(name) ?? [], id),
      onReload: (listener) => this.#data.on('reload', listener),
      revision: () => (this.#data.isShared ? undefined : this.#data.revision),
    }
  }

  /**
   * The way of a request: whether it may go there, json-server's handler of the resource that it leads to,
   * the wait until a change is durable, the response. An error takes back what has been changed.
   */
  readonly handle: RequestHandler = (request, response, next) => {
    const { requireAccess, foreignKeySuffix } = this.#options
    requireAccess(request, request.path)
    if (!isRead(request)) this.#data.refresh()
    else if (DATABASE_PATH.test(request.path)) return this.#sendDatabase(request, response)
    const isStored = !this.#data.isShared && isUntouched(response) && !asksForRelations(request.query)
    const changes = isRead(request) ? undefined : new Changes(this.#collections, foreignKeySuffix)
    let text: string | undefined
    try {
      this.#rewriteNested(request, response)
      const [, asked, id] = RESOURCE_PATH.exec(request.path) ?? []
      // If names differ only in case, json-server calls the handlers of all of them.
      for (const name of this.#named(asked)) this.#call(name, id, changes, request, response)
      if (changes?.areMade) {
        requireLastingRoomForText(response.locals.data)
        text = textOf(request, response.locals.data)
      }
    } catch (error) {
      changes?.takeBack()
      throw error
    }
    if (response.headersSent) return
    if (!changes?.areMade) return sendResource(request, response, { isStored })
    const saved = this.#data.commit()
    // The response reports this change, whatever happens to the data while the write is under way.
    saved.then(() => sendResource(request, response, { text })).catch(next)
  }

  #sendDatabase(request: Request, response: Response): void {
    if (!isUntouched(response)) this.#data.share()
    // A user's middleware may change the records, as in json-server, but not which resources there are.
    response.locals.data = { ...this.#data.state }
    sendResource(request, response)
  }

  /** Makes a nested path, such as `/posts/1/comments`, that of a resource, with a filter or a field. */
  #rewriteNested(request: Request, response: Response): void {
    const { groups } = NESTED_PATH.exec(request.path) ?? {}
    if (groups === undefined) return
    this.#options.requireAccess(request, undefined)
    const params = Object.entries(groups).map(([name, segment]) => [name, decodePath(segment)])
    request.params = Object.fromEntries(params)
    handlerOf(this.#ofCollection, request, '/:resource/:id/:nested')?.(request, response, ignore)
  }

  #named(asked: string | undefined): string[] {
    const name = asked?.toLowerCase()
    return Object.keys(this.#data.state).filter(
      (other) => other.length === name?.length && other.toLowerCase() === name && other !== '$schema',
    )
  }

  #call(
    name: string,
    id: string | undefined,
    changes: Changes | undefined,
    request: Request,
    response: Response,
  ): void {
    const place = id === undefined ? `/${name}` : `/${name}/${id}`
    this.#options.requireAccess(request, asksForRelations(request.query) ? undefined : place)
    const resource = this.#data.state[name]
    const isCollection = Array.isArray(resource)
    if (isCollection && id !== undefined) request.params = { id: decodePath(id) }
    const handlers = isCollection ? this.#ofCollection : this.#ofSingular
    const handler = handlerOf(handlers, request, id === undefined ? '/' : '/:id')
    if (handler === undefined || !isObject(resource)) return
    if (['POST', 'PUT', 'PATCH'].includes(request.method)) checkBody(request)
    if (changes !== undefined)
      this.#target = isCollection ? changes.ofCollection(name, resource) : changes.ofSingular(name)
    else if (!isCollection) this.#target = { get: () => chained(resource) }
    else this.#target = this.#targetOfRead(name, resource, id, request.query, !isUntouched(response))
    handler(request, response, ignore)
    const { data } = response.locals
    if (Array.isArray(data)) response.locals.data = this.#target.result?.(data) ?? data
  }

  /** What json-server's handlers read of a collection, or of a record in it. */
  #targetOfRead(
    name: string,
    collection: readonly unknown[],
    id: string | undefined,
    query: Request['query'],
    isCopied: boolean,
  ): Target {
    checkRelations(query)
    if (id === undefined) checkListQuery(query)
    // json-server copies no records of other collections, and a user's middleware may change them.
    if (isCopied && asksForRelations(query)) this.#data.share()
    const index = this.#collections.index(collection)
    let relations: Relations | undefined
    let list: ListChain | undefined

    return {
      get: (path) => {
        if (path !== REQUESTED) {
          const foreignKey = `${pluralize.singular(name)}${this.#options.foreignKeySuffix}`
          relations ??= new Relations(this.#collections, foreignKey, list?.sent)
          return relations.get(path)
        }
        if (id !== undefined) return { getById: (decoded: unknown) => chained(index.find(decoded)) }
        // After its first call, `list` asks only for the sample.
        if (list !== undefined) return chained(list.sample())
        list = new ListChain(collection, index, query, isCopied)
        return list
      },
      result: (made) => list?.result(made) ?? made,
    }
  }

  #openDatabase(): Database {
    this.#database ??= openDatabase(this.#data, this.#options.idProperty)
    return this.#database
  }
}

function handlerOf(handlers: Handlers, { method }: Request, route: string): RequestHandler | undefined {
  return handlers.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
}

/** In place of the handler that would be the next: each of json-server's calls it at its end. */
function ignore(): void {}
