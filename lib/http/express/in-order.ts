import type { RequestHandler } from 'express'

/**
 * Calls handlers one after the other, as Express calls those that are mounted at `/`, and without looking for
 * the path of the request at each: that takes longer than most of them.
 *
 * @param steps none of which skips others, as `next('route')` does, or is an Express application
 * @returns a handler that passes on the error that a step passes on or throws
 */
export function inOrder(steps: readonly RequestHandler[]): RequestHandler {
  return function inOrderMiddleware(request, response, next) {
    let position = 0
    function proceed(error?: unknown) {
      const step = steps[position]
      if (error || step === undefined) return next(error)
      position += 1
      try {
        step(request, response, proceed)
      } catch (thrown) {
        next(thrown)
      }
    }
    proceed()
  }
}
