import type { RequestHandler, Router } from 'express'

/** What comes first in json-server's router, by function name. The parsers have run before a request gets there. */
const METHOD_OVERRIDE = 'methodOverride'
const PARSERS = ['jsonParser', 'urlencodedParser']

export type ResourceKind = 'collection' | 'singular'

/**
 * Takes off json-server's router the parsers, which have run before it, the last layer, which sends the stack trace of any
 * error, and the timers of 1 ms that delay every request. Where such a timer was at the door of a resource, something else
 * then stands: the router itself has found the resource there, whatever the spelling of the path.
 *
 * @param doorOf the handler at the door of each resource, by its position among all of them
 * @throws Error when a layer is not where json-server 0.17.4 has it
 */
export function adaptLayers(
  router: Router,
  doorOf: (kind: ResourceKind, position: number) => RequestHandler,
): void {
  const [methodOverride, ...parsers] = router.stack.splice(0, 1 + PARSERS.length)
  if (methodOverride?.handle.name !== METHOD_OVERRIDE) throw missing(METHOD_OVERRIDE)
  // It stays for the Vary header that it adds: a method that it would override has been overridden already.
  router.stack.unshift(methodOverride)
  for (const [index, name] of PARSERS.entries()) expectLayer(parsers[index]?.handle.name === name, name)
  expectLayer(router.stack.pop()?.handle.length === 4, 'the error handler')
  const [nested, ...resources] = router.stack.filter(({ name }) => name === 'router')
  if (nested === undefined || !hasRoute(nested.handle, '/:resource/:id/:nested'))
    throw missing('the nested routes')
  expectLayer(nested.handle.stack.shift()?.handle.name === 'delay', 'delay')
  nested.handle = onlyNested(nested.handle)
  const respond = router.stack.at(-1)?.handle
  for (const [position, { handle, regexp }] of resources.entries()) {
    const door = isRouter(handle) ? handle.stack[0] : undefined
    if (door?.handle.name !== 'delay') throw missing('delay')
    door.handle = doorOf(hasRoute(handle, '/:id') ? 'collection' : 'singular', position)
    // Of several resources that match the same path, such as `users` and `Users`, the last has to respond.
    const isOnly = resources.every((other, index) => index === position || !isSame(other.regexp, regexp))
    if (isOnly && isRouter(handle) && respond !== undefined) respondAtOnce(handle, respond)
  }
}

/**
 * Where a router ends, Express waits for the next turn of the event loop. A GET does not get there: what sends the response
 * follows its handler.
 */
function respondAtOnce(resource: Router, respond: RequestHandler): void {
  for (const { route } of resource.stack) route?.get(respond)
}

function isSame(one: RegExp, other: RegExp): boolean {
  return one.source.toLowerCase() === other.source.toLowerCase()
}

/** Most requests are for no nested resource, and matching routes is the slowest part of Express. */
function onlyNested(routes: Router): RequestHandler {
  return function nestedRoutes(request, response, next) {
    if (NESTED_PATH.test(request.path)) routes(request, response, next)
    else next()
  }
}

const NESTED_PATH = /^\/[^/]+\/[^/]+\/[^/]+\/?$/

type Handle = RequestHandler | Router | undefined

export function expectLayer(isFound: boolean, name: string): void {
  if (!isFound) throw missing(name)
}

function missing(name: string): Error {
  return new Error(
    `json-server's router has no layer "${name}" where 0.17.4 has it: install json-server 0.17.4 exactly.`,
  )
}

function hasRoute(handle: Handle, path: string): handle is Router {
  return isRouter(handle) && handle.stack.some(({ route }) => route?.path === path)
}

export function isRouter(handle: Handle): handle is Router {
  return handle !== undefined && 'stack' in handle && Array.isArray(handle.stack)
}
