import type { RequestHandler } from 'express'
import jsonServer, { type Chained, type Lodash } from 'json-server'
import { version } from 'json-server/package.json'
import { isRouter } from '../http/express/is-router'

/** The version whose handlers are known. */
const KNOWN_VERSION = '0.17.4'

/** The name by which the handlers ask for the requested resource: half a character, which no URL can hold. */
export const REQUESTED = '\ud800'

/** json-server's handlers by their path, such as `/:id`, and by their method. */
export type Handlers = ReadonlyMap<string, ReadonlyMap<string, RequestHandler>>

/** What the handlers read and change in one request. */
export interface Target {
  /** The chain of the requested resource, or of one that `_embed` or `_expand` names. */
  get(path: string): object | undefined
  /** Replaces the requested resource, if it is singular. */
  set?(content: object): Chained
}

/** A chain that has come to its end. */
export function chained(value: unknown): Chained {
  return { value: () => value }
}

let ownLodash: Lodash | undefined

/**
 * The lodash of json-server's databases, made once because that takes milliseconds.
 *
 * @throws Error when json-server is not version 0.17.4
 */
export function lodash(): Lodash {
  if (version !== KNOWN_VERSION)
    throw new Error(`json-server ${version} is installed: install json-server ${KNOWN_VERSION} exactly.`)
  ownLodash ??= jsonServer.router({}).db._
  return ownLodash
}

/**
 * Reads the handlers from a router that json-server makes for one resource: those of the resource, and those
 * of nested paths, which are `/:resource/:id/:nested`.
 *
 * @param resource an array or an object: json-server has other handlers for either
 * @param target gives that of the request for which a handler is called
 */
export function readHandlers(
  resource: object,
  target: () => Target | undefined,
  foreignKeySuffix: string,
): Handlers {
  const database = {
    get: (path: string) => target()?.get(path),
    set: (_name: string, content: object) => target()?.set?.(content),
    // By these two, json-server tells a database from data.
    __chain__: true,
    __wrapped__: {},
    _: lodash(),
    // In it, json-server would look for further records to delete: `Collections` does that.
    getState: () => ({}),
    forEach: (visit: (resource: object, name: string) => void) => ({
      value: () => visit(resource, REQUESTED),
    }),
  }
  const { stack } = jsonServer.router(database, { foreignKeySuffix })
  const routers = stack.map(({ handle }) => handle).filter(isRouter)
  const handlers = new Map<string, Map<string, RequestHandler>>()
  for (const { route } of routers.flatMap((router) => router.stack)) {
    if (route === undefined) continue
    const ofPath = handlers.get(route.path) ?? new Map<string, RequestHandler>()
    handlers.set(route.path, ofPath)
    // One without a name writes to the database: `Resources.handle` does that.
    for (const { method, handle } of route.stack)
      if (handle.name !== '') ofPath.set(method.toUpperCase(), handle)
    const get = ofPath.get('GET')
    if (get !== undefined) ofPath.set('HEAD', get)
  }
  for (const ofPath of handlers.values()) {
    const methods = [...ofPath.keys()].join()
    // As Express responds for the paths of its routes.
    ofPath.set('OPTIONS', (_request, response) => response.set('Allow', methods).send(methods))
  }
  return handlers
}
