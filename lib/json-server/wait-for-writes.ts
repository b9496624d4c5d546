import type { RequestHandler, Router } from 'express'
import { isRouter } from '../http/express/is-router'

/**
 * Makes the responses of json-server's router wait until their change is durable: json-server sends them at
 * once.
 *
 * @param router as json-server makes it: its only handler without a name is the one that writes
 * @param commit resolves when everything that has been changed is durable
 */
export function waitForWrites(router: Router, commit: () => Promise<void>): void {
  const routes = router.stack.flatMap(({ handle }) => (isRouter(handle) ? handle.stack : []))
  const handlers = routes.flatMap(({ route }) => route?.stack ?? [])
  for (const layer of handlers) if (layer.handle.name === '') layer.handle = writer(commit)
}

/** Passes on the error when the write fails; then nothing of the change remains. */
function writer(commit: () => Promise<void>): RequestHandler {
  return function waitForWrite(_request, response, next) {
    const { locals } = response
    // A record that was not found has not been changed either.
    if (locals.data === undefined) return next()
    // The response reports this change, whatever happens to the data while the write is under way.
    locals.data = JSON.parse(JSON.stringify(locals.data))
    commit().then(() => next(), next)
  }
}
