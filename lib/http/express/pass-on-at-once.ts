import type { Router } from 'express'

/** Applications may share a router. */
const known = new WeakSet<Router>()

/**
 * Makes a router pass a request on at once. After its last layer, Express 4 does so only later (`setImmediate` in its
 * lib/router/index.js), so the last layer becomes one that no path matches.
 */
export function passOnAtOnce(router: Router): Router {
  if (known.has(router)) return router
  known.add(router)
  return router.get(/(?!)/, () => {})
}
