import { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import type { ErrorRequestHandler, RequestHandler, Router } from 'express'
import { isFunction, isObject } from '../../is-record'
import { passOnAtOnce } from './pass-on-at-once'

/** What {@link catchRejections} has made. A router that applications share holds one of these, not one for each. */
const catching = new WeakSet<object>()

/**
 * Turns the rejected promise of a handler into an error of its request, as Express 5 does. Express 4 ignores
 * what a handler returns, so Node would end the process.
 *
 * @param handler a function, or a router or an application, whose own handlers are then replaced in place, and which passes
 *   on at once
 * @throws TypeError for anything else
 */
export function catchRejections<Given extends RequestHandler | ErrorRequestHandler>(handler: Given): Given {
  if (typeof handler !== 'function')
    throw new TypeError(`A middleware must be a function, not ${inspect(handler, { depth: -1 })}.`)
  if (catching.has(handler)) return handler
  const router = routerOf(handler)
  for (const layer of router?.stack ?? []) {
    for (const inner of layer.route?.stack ?? [layer]) inner.handle = catchRejections(inner.handle)
  }
  if (router !== undefined) passOnAtOnce(router)
  // A proxy has the same number of parameters, by which Express recognises an error handler.
  const caught = new Proxy<Given>(handler, { apply: callAndCatch })
  catching.add(caught)
  return caught
}

/** The router that a handler is, or that it has as an application of Express 4, once it has a handler. */
function routerOf(handler: object): Router | undefined {
  const found: unknown = '_router' in handler ? handler._router : handler
  return isRouter(found) ? found : undefined
}

function isRouter(value: unknown): value is Router {
  return typeof value === 'function' && 'stack' in value && Array.isArray(value.stack)
}

/** @param parameters the request, the response and `next`; an error handler's begin with the error */
function callAndCatch(
  handler: RequestHandler | ErrorRequestHandler,
  self: unknown,
  parameters: unknown[],
): void {
  const next = parameters.at(-1)
  const response = parameters.at(-2)
  let passedOn = false
  function passOn(...values: unknown[]): void {
    passedOn = true
    if (isFunction(next)) next(...values)
  }
  const result: unknown = Reflect.apply(handler, self, [...parameters.slice(0, -1), passOn])
  Promise.resolve(result).catch((error: unknown) => {
    const hasResponded = response instanceof ServerResponse && response.writableEnded
    // The response has been sent, or another handler has the request: the error can only be logged.
    if (passedOn || hasResponded) console.error(error)
    // Express treats undefined as no error, and `'route'` as a route to skip.
    else passOn(isObject(error) ? error : new Error(`A middleware rejected with ${inspect(error)}.`))
  })
}
