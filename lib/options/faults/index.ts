import type { Request, RequestHandler } from 'express'
import type { PathOf } from '../../http/handler'
import type { CurrentFaults } from './fault-rule'
import { Faults, faultsStep } from './faults'

/**
 * Makes requests of the main data fail. When the rules change, their counts restart.
 *
 * @param isElsewhere whether a request is for other data
 * @throws HttpError when a rule cannot be used
 */
export function mainFaults(
  source: CurrentFaults,
  rewrittenPath: PathOf,
  isElsewhere: (request: Request) => boolean,
): RequestHandler {
  const current = typeof source === 'function' ? source : () => source
  let rules = current()
  let faults = new Faults(rules)
  return faultsStep((request) => {
    if (isElsewhere(request)) return undefined
    const now = current()
    if (now !== rules) faults = new Faults(now)
    rules = now
    return faults
  }, rewrittenPath)
}
