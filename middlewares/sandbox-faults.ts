import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import type { FaultRule } from '../lib/sandboxes/fault-rules'

/** An error with the body that a rule gives. */
export class GivenError extends HttpError {
  constructor(
    status: number,
    private readonly given: unknown,
    headers: HttpError['headers'],
  ) {
    super(status, '', headers)
  }

  override get body(): unknown {
    return this.given
  }
}

/**
 * Makes a request of a sandbox fail, or wait, by the first of its rules that matches. Any other request is passed on.
 *
 * Passes on the error that the rule asks for.
 */
export function sandboxFaults(): RequestHandler {
  return function sandboxFaultsMiddleware(request, response, next) {
    const rule = request.sandbox?.current?.faults?.(request.method, request.path)
    if (rule === undefined) return next()
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else next(errorOf(rule))
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has gone away.
    response.once('close', () => clearTimeout(waiting))
  }
}

function errorOf({ status, headers, ...rule }: FaultRule): HttpError | undefined {
  if (status === undefined) return undefined
  const all = { 'Cache-Control': 'no-store', ...headers }
  if ('body' in rule) return new GivenError(status, rule.body, all)
  return new HttpError(status, 'A fault that this sandbox was given.', all)
}
