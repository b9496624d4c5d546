import type { RequestHandler, Router } from 'express'
import { expectLayer, isRouter } from './router-layers'

/** What json-server calls its handlers that change data, each of which is followed by one that writes. */
const CHANGES = ['create', 'update', 'destroy']

/**
 * Makes the responses of json-server's router wait until their change is durable: json-server sends them at once.
 *
 * @param commit resolves when everything that has been changed is durable
 * @throws Error when a layer is not where json-server 0.17.4 has it
 */
export function waitForWrites(router: Router, commit: () => Promise<void>): void {
  const write = writer(commit)
  const routes = router.stack.flatMap(({ handle }) => (isRouter(handle) ? handle.stack : []))
  for (const { route } of routes) {
    for (const [position, change] of route?.stack.entries() ?? []) {
      if (!CHANGES.includes(change.handle.name)) continue
      const next = route?.stack[position + 1]
      expectLayer(
        next?.method === change.method && next.handle.name === '',
        `the write after ${change.handle.name}`,
      )
      if (next !== undefined) next.handle = write
    }
  }
}

/** Passes on the error when the write fails, and nothing of the change remains. */
function writer(commit: () => Promise<void>): RequestHandler {
  return function waitForWrite(_request, response, next) {
    const { locals } = response
    // A record that was not found has not been changed either.
    if (locals.data === undefined) return next()
    // The response reports this change, whatever happens to the data while the write is under way.
    locals.data = JSON.parse(JSON.stringify(locals.data))
    commit().then(
      () => next(),
      (error: unknown) => {
        // json-server names the address of a record before it is known whether the record could be saved.
        response.removeHeader('Location')
        next(error)
      },
    )
  }
}
