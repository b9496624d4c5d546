import type { Request, Response, Router } from 'express'
import type { RouterDatabase } from 'json-server'
import nested from 'json-server/lib/server/router/nested'
import plural from 'json-server/lib/server/router/plural'
import singular from 'json-server/lib/server/router/singular'
import type { Data } from '../data/valid-data'

/** The router of a resource, and whether that was a collection when the router was made. */
interface ResourceRouter {
  isCollection: boolean
  router: Router
}

/**
 * json-server's own routers, one for each resource, made in 0.1 ms when it is first asked for. Its public
 * `router()` would take a name for a pattern (`a(b` throws), and send the stack of an error.
 */
export class Routers {
  /** `/:resource/:id/:nested`: changes the request to one for `/:nested`. */
  readonly nested: Router
  /** By name, for each state: the routers of a state that was replaced go with it. */
  readonly #ofResources = new WeakMap<Data, Map<string, ResourceRouter>>()

  /** @param options `foreignKeySuffix`: what ends the name of a foreign key */
  constructor(
    private readonly database: RouterDatabase,
    private readonly options: { foreignKeySuffix: string },
  ) {
    this.nested = withoutWaiting(nested(options))
  }

  /** The router of a resource, for the paths behind its name. */
  ofResource(state: Data, name: string): Router {
    const routers = this.#ofResources.get(state) ?? new Map<string, ResourceRouter>()
    this.#ofResources.set(state, routers)
    const isCollection = Array.isArray(state[name])
    const known = routers.get(name)
    if (known?.isCollection === isCollection) return known.router
    const make = isCollection ? plural : singular
    const router = withoutWaiting(make(this.database, name, this.options))
    routers.set(name, { isCollection, router })
    return router
  }
}

/** Makes a router of json-server call its handlers, and what comes behind them, before it returns. */
function withoutWaiting(router: Router): Router {
  // json-server's first layer waits, at least a millisecond. `_delay` is read by a step of its own.
  router.stack.shift()
  // Behind its last layer, Express 4 goes on only later (`setImmediate` in its lib/router/index.js). So the
  // last layer is one that no path matches.
  return router.get(/(?!)/, () => {})
}

/**
 * Calls a router.
 *
 * @returns whether it has passed the request on; otherwise it responds, as to OPTIONS
 * @throws what the router passes on as an error
 */
export function passesOn(router: Router, request: Request, response: Response): boolean {
  let hasPassedOn = false
  let failure: unknown
  router(request, response, (error: unknown) => {
    hasPassedOn = true
    failure = error
  })
  if (failure) throw failure
  return hasPassedOn
}
