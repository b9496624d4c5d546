import type { RequestHandler, Router } from 'express'
import { version } from 'json-server/package.json'
import { isRouter } from '../http/express/is-router'

export type ResourceKind = 'collection' | 'singular'

/** Gives the guard of a resource, by its kind and by its position among all resources. */
export type GuardOf = (kind: ResourceKind, position: number) => RequestHandler

/** The version whose layers are known. */
const KNOWN_VERSION = '0.17.4'

/**
 * Removes from json-server's router the body parsers, which have run before it, the last layer, which sends
 * the stack trace of any error, and the timers of 1 ms that delay every request. A guard replaces the timer
 * of each resource: at that point the router has found the resource, however the path is spelled.
 *
 * @param nestedGuard the guard of all nested routes, such as `/posts/1/comments`
 * @throws Error when json-server is not version 0.17.4
 */
export function adaptLayers({ stack }: Router, guardOf: GuardOf, nestedGuard: RequestHandler): void {
  if (version !== KNOWN_VERSION)
    throw new Error(`json-server ${version} is installed: install json-server ${KNOWN_VERSION} exactly.`)
  // The first layer stays for the Vary header that it adds: any method has already been overridden.
  stack.splice(1, 2)
  stack.pop()
  const respond = stack.at(-1)?.handle
  const [nested, ...resources] = stack.filter(({ handle }) => isRouter(handle))
  if (nested !== undefined) nested.handle = onlyNested(nested.handle, nestedGuard)
  for (const [position, { handle, regexp }] of resources.entries()) {
    if (!isRouter(handle)) continue
    const isCollection = handle.stack.some(({ route }) => route?.path === '/:id')
    replaceTimer(handle, guardOf(isCollection ? 'collection' : 'singular', position))
    // Of several resources that match the same path, such as `users` and `Users`, the last has to respond.
    const isOnly = resources.every((other, index) => index === position || !isSame(other.regexp, regexp))
    if (isOnly && respond !== undefined) respondAtOnce(handle, respond)
  }
}

/**
 * Replaces each handler that lists a collection.
 *
 * @param replace gives the new handler, by the position of the collection among all resources
 */
export function replaceLists(
  { stack }: Router,
  replace: (list: RequestHandler, position: number) => RequestHandler,
): void {
  const [, ...resources] = stack.filter(({ handle }) => isRouter(handle))
  for (const [position, { handle }] of resources.entries()) {
    const routes = isRouter(handle) ? handle.stack.map(({ route }) => route) : []
    for (const layer of routes.flatMap((route) => route?.stack ?? []))
      if (layer.handle.name === 'list') layer.handle = replace(layer.handle, position)
  }
}

function replaceTimer({ stack: [timer] }: Router, handler: RequestHandler): void {
  if (timer !== undefined) timer.handle = handler
}

/**
 * At the end of a router, Express waits for the next turn of the event loop. A GET does not get there: the
 * layer that sends the response comes right after its handler.
 */
function respondAtOnce(resource: Router, respond: RequestHandler): void {
  for (const { route } of resource.stack) route?.get(respond)
}

function isSame(one: RegExp, other: RegExp): boolean {
  return one.source.toLowerCase() === other.source.toLowerCase()
}

/** Few requests are for a nested resource, and matching routes is the slowest part of Express. */
function onlyNested(routes: RequestHandler, guard: RequestHandler): RequestHandler {
  if (isRouter(routes)) replaceTimer(routes, guard)
  return function nestedRoutes(request, response, next) {
    if (NESTED_PATH.test(request.path)) routes(request, response, next)
    else next()
  }
}

const NESTED_PATH = /^\/[^/]+\/[^/]+\/[^/]+\/?$/
