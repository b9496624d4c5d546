import type { Request, RequestHandler } from 'express'
import { HttpError } from '../../errors'
import type { PathOf } from '../../http/handler'
import type { FaultRule } from './fault-rule'
import { type CurrentFaults, currentFaults, type Faults } from './faults'

/**
 * Makes a request fail, or wait, by the first rule that matches. Any other request is passed on.
 *
 * Passes on the error that the rule asks for.
 *
 * @param faultsFor the rules for the data that a request is for, if it has any
 * @param rewrittenPath the path of a request behind the rewrite rules
 */
export function faults(
  faultsFor: (request: Request) => Faults | undefined,
  rewrittenPath: PathOf,
): RequestHandler {
  return function faultsMiddleware(request, response, next) {
    const rule = faultsFor(request)?.find(request.method, [request.path, rewrittenPath(request, response)])
    if (rule === undefined) return next()
    const act = (): void => {
      if (rule.drop) request.socket.destroy()
      else next(errorOf(rule))
    }
    if (!rule.delay) return act()
    const waiting = setTimeout(act, rule.delay)
    // The client has disconnected.
    response.once('close', () => clearTimeout(waiting))
  }
}

/**
 * Does the same for the main data.
 *
 * @param isElsewhere whether a request is for other data
 * @throws FaultRuleError when a rule cannot be used
 */
export function mainFaults(
  rules: CurrentFaults,
  rewrittenPath: PathOf,
  isElsewhere: (request: Request) => boolean = () => false,
): RequestHandler {
  const current = currentFaults(rules)
  return faults((request) => (isElsewhere(request) ? undefined : current()), rewrittenPath)
}

function errorOf({ status, headers, body }: FaultRule): HttpError | undefined {
  if (status === undefined) return undefined
  const message = 'A fault rule made this request fail.'
  return new HttpError({ status, message, headers: { 'Cache-Control': 'no-store', ...headers }, body })
}
