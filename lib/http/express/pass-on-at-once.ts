import type { Router } from 'express'

/**
 * Makes a router pass a request on at once. Behind its last layer, Express 4 does so only later (`setImmediate` in its
 * lib/router/index.js), so the last layer becomes one that no path matches.
 */
export function passOnAtOnce(router: Router): Router {
  return router.get(/(?!)/, () => {})
}
