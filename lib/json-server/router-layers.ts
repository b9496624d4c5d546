import type { RequestHandler, Router } from 'express'

/** What comes first in json-server's router, by function name: all of it has been done when a request gets there. */
const DONE_BEFORE = ['methodOverride', 'jsonParser', 'urlencodedParser']

export interface Replacements {
  /** Runs at the door of each resource, in the same turn as what the resource then does with the request. */
  enter: RequestHandler
  /** Stands where json-server resolves nested routes. */
  nested: RequestHandler
}

/**
 * Takes off json-server's router the parsers, which have run before it, and the last layer, which answers any error with
 * its stack trace. Its nested routes, and the timers of 1 ms that delay every request at the door of each resource, give
 * way to others.
 *
 * @throws Error when a layer is not where json-server 0.17.4 has it
 */
export function adaptLayers(router: Router, { enter, nested }: Replacements): void {
  for (const name of DONE_BEFORE) expectLayer(router.stack.shift()?.handle.name === name, name)
  expectLayer(router.stack.pop()?.handle.length === 4, 'the error handler')
  const [nestedRoutes, ...resources] = router.stack.filter(({ name }) => name === 'router')
  expectLayer(nestedRoutes !== undefined && isNested(nestedRoutes.handle), 'the nested routes')
  if (nestedRoutes !== undefined) nestedRoutes.handle = nested
  for (const { handle } of resources) {
    const door = isRouter(handle) ? handle.stack[0] : undefined
    expectLayer(door?.handle.name === 'delay', 'delay')
    if (door !== undefined) door.handle = enter
  }
}

export function expectLayer(found: boolean, name: string): void {
  if (found) return
  throw new Error(
    `json-server's router has no layer "${name}" where 0.17.4 has it: install json-server 0.17.4 exactly.`,
  )
}

function isNested(handle: RequestHandler | Router): boolean {
  return isRouter(handle) && handle.stack.some(({ route }) => route?.path === '/:resource/:id/:nested')
}

export function isRouter(handle: RequestHandler | Router): handle is Router {
  return 'stack' in handle && Array.isArray(handle.stack)
}
