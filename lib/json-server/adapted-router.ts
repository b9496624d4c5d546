import type { Request } from 'express'
import jsonServer, { type JsonServerRouter } from 'json-server'
import type { DataSource } from '../data/data-source'
import { validData } from '../data/valid-data'
import { bindState } from './database'
import { boundedFilter } from './lists/bounded-filter'
import { listFunctions } from './lists/list-functions'
import { relations } from './lists/relations'
import { CurrentSearch } from './lists/search'
import { collectionFunctions } from './records/collection-functions'
import type { Collections } from './records/collections'
import { checkRequest } from './requests/request-guard'
import { adaptLayers, type GuardOf, replaceLists } from './router-layers'
import { waitForWrites } from './wait-for-writes'

export interface RouterOptions {
  data: DataSource
  /** Finds the records of this data. */
  collections: Collections
  /** What ends the name of a foreign key, as json-server's `--foreignKeySuffix`. */
  foreignKeySuffix: string
  /**
   * Called with the path of the resource or the record that the router has found for a request, or undefined
   * if the request reads or changes something other than its path says.
   *
   * @throws HttpError 401 when the request may not go there
   */
  requireAccess: (request: Request, place: string | undefined) => void
}

/**
 * json-server's router for the resources that the data has now. The routes are json-server's. The checks
 * before them, finding, filtering and sorting, and the wait until a change is durable are ours.
 *
 * @throws DataError when json-server could not serve the data
 * @throws Error when json-server is not version 0.17.4
 */
export function adaptedRouter(options: RouterOptions): JsonServerRouter {
  const { data, collections, foreignKeySuffix, requireAccess } = options
  const router = jsonServer.router(validData(data.state, 'The data'), { foreignKeySuffix })
  const { db } = router
  const names = Object.keys(data.state).filter((name) => name !== '$schema')

  const search = new CurrentSearch()
  const filter = boundedFilter(db._.filter, search)
  const lists = listFunctions({
    lodash: db._,
    search,
    cacheOf: (collection) => collections.cacheOf(collection),
  })
  const withRelations = relations({
    state: () => data.state,
    foreignKeySuffix,
    get: db._.get,
    filter,
    finder: (collection) => collections.finder(collection),
  })

  const guardOf: GuardOf = (kind, position) => (request, _response, next) => {
    const name = names[position] ?? ''
    requireAccess(request, readsOthers(request.query) ? undefined : placeOf(name, request.path))
    checkRequest(request, kind, collections.idProperty())
    const records = collections.named(name)
    if (records !== undefined) lists.hideUnknown(request.query, records)
    search.during(request.query, next)
  }

  replaceLists(router, (list, position) => withRelations(list, names[position] ?? ''))
  waitForWrites(router, () => data.commit())
  adaptLayers(router, guardOf, (request, _response, next) => {
    requireAccess(request, undefined)
    next()
  })
  bindState(db, data)
  const functions = collectionFunctions(collections, foreignKeySuffix)
  db._.mixin({ ...functions, filter, orderBy: lists.orderBy })
  return router
}

/** The path of a resource or of a record in it. @param path what follows the name of the resource */
function placeOf(name: string, path: string): string {
  return `/${name}${path === '/' ? '' : path}`
}

/** Whether a query asks for records of other collections. */
function readsOthers({ _embed, _expand }: Request['query']): boolean {
  return _embed !== undefined || _expand !== undefined
}
