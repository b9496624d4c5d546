import type { RequestHandler } from 'express'
import jsonServer, { type Chained, type Lodash } from 'json-server'
import { version } from 'json-server/package.json'
import { isRouter } from '../http/express/is-router'

/** The version whose handlers are known. */
const KNOWN_VERSION = '0.17.4'

/** The name by which the handlers ask for the requested resource. No resource can have it: it is a slash. */
export const REQUESTED = '/'

/** json-server's handlers by their method and path, such as `GET /:id`. */
export type Handlers = ReadonlyMap<string, RequestHandler>

/** What the handlers read and change in one request. */
export interface Target {
  /** The chain of the requested resource, or of one that `_embed` or `_expand` names. */
  get(path: string): object
  /** Replaces the requested resource, if it is singular. */
  set?(content: object): Chained
  /** What is sent in the place of the list that `list` has made. */
  result?(list: readonly unknown[]): readonly unknown[]
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
    getState: () => ({}),
    forEach: (visit: (resource: object, name: string) => void) => ({
      value: () => visit(resource, REQUESTED),
    }),
  }
  const { stack } = jsonServer.router(database, { foreignKeySuffix })
  const layers = stack.flatMap((layer) => (isRouter(layer.handle) ? layer.handle.stack : [layer]))
  const handlers = new Map<string, RequestHandler>()
  const allowed = new Map<string, string[]>()
  for (const { route } of layers) {
    if (route === undefined) continue
    // Handlers without a name write to the database, or send all of it: that is done here.
    const named = route.stack.filter(({ handle }) => handle.name !== '')
    const methods = named.map(({ method }) => method.toUpperCase())
    for (const [index, { handle }] of named.entries()) handlers.set(`${methods[index]} ${route.path}`, handle)
    const head = methods.includes('GET') ? ['HEAD'] : []
    allowed.set(route.path, [...(allowed.get(route.path) ?? []), ...methods, ...head])
  }
  for (const [path, methods] of allowed) handlers.set(`OPTIONS ${path}`, sayAllowed(methods.join()))
  return handlers
}

/** Responds to OPTIONS as Express does for the paths of its routes. */
function sayAllowed(methods: string): RequestHandler {
  return (_request, response) => response.set('Allow', methods).send(methods)
}
