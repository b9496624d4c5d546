import type { Request, RequestHandler } from 'express'
import type { PathOf } from '../../http/handler'
import { sendJson } from '../../http/send-json'
import type { SandboxAddition } from '../sandbox-addition'
import { faultPaths } from './fault-docs'
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

/** Rules by which the requests of a sandbox fail: `PUT` and `GET /__sandbox/faults`. */
export function sandboxFaults(rewrittenPath: PathOf): SandboxAddition {
  const ofSandboxes = new WeakMap<object, Faults>()
  return {
    routes: {
      'PUT /__sandbox/faults'(sandbox, request, response) {
        ofSandboxes.set(sandbox, new Faults(request.body))
        response.status(204).end()
      },
      'GET /__sandbox/faults'(sandbox, _request, response) {
        response.setHeader('Cache-Control', 'no-store')
        sendJson(response, ofSandboxes.get(sandbox)?.list() ?? [])
      },
    },
    step: (sandboxOf) =>
      faultsStep((request) => {
        const sandbox = sandboxOf(request)
        return sandbox && ofSandboxes.get(sandbox)
      }, rewrittenPath),
    paths: faultPaths(),
  }
}
