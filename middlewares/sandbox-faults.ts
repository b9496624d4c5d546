import type { RequestHandler } from 'express'
import { isUserLookup } from '../lib/auth/access-policy'
import { HttpError } from '../lib/errors'
import type { FaultRule } from '../lib/sandboxes/fault-rules'
import { sandboxOf } from '../lib/sandboxes/request-sandbox'
import { UserLookupError } from './user-lookup'

/**
 * Makes a request of a sandbox fail, or wait, by the first of its rules that matches. Any other request is
 * passed on.
 *
 * Passes on the error that the rule asks for.
 */
export function sandboxFaults(): RequestHandler {
  return function sandboxFaultsMiddleware(request, response, next) {
    const rule = sandboxOf(request)?.current?.faults?.(request.method, request.path)
    if (rule === undefined) return next()
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else next(errorOf(rule, request.path))
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has gone away.
    response.once('close', () => clearTimeout(waiting))
  }
}

function errorOf({ status, headers, ...rule }: FaultRule, path: string): HttpError | undefined {
  if (status === undefined) return undefined
  const all = { 'Cache-Control': 'no-store', ...headers }
  if ('body' in rule) return new HttpError({ status, message: '', headers: all, body: rule.body })
  const error = new HttpError({ status, message: 'A fault that this sandbox was given.', headers: all })
  return isUserLookup(path) ? new UserLookupError(error) : error
}
