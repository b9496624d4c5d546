import type { RequestHandler } from 'express'
import type { Visitors } from '../../auth/visitors'
import { badRequest } from '../../errors'
import { inOrder } from '../../http/express/steps'
import type { PathOf } from '../../http/handler'
import { logNotes } from '../../http/log/log-notes'
import type { FaultSteps } from '../faults'
import { SANDBOX_HEADER, SANDBOX_NAME } from './header'
import { journalStep } from './journal-step'
import { sandboxRoutes } from './sandbox-routes'
import { Sandboxes, type SandboxesOptions } from './sandboxes'

export interface SandboxStepOptions extends SandboxesOptions {
  /** Knows the token of each request. */
  visitors: Visitors
  /** The path of a request behind the rewrite rules. */
  rewrittenPath: PathOf
  /** The steps by which rules act. */
  rules: FaultSteps
}

/** The steps of `--sandboxes`, and what the other steps take from them, so that they need not know more. */
export function makeSandboxSteps({ visitors, rewrittenPath, rules, ...options }: SandboxStepOptions) {
  const sandboxes = new Sandboxes(options)
  const recordOrFail = inOrder([
    journalStep(sandboxes, rewrittenPath),
    rules.choose((request) => sandboxes.ofRequest(request)?.current?.faults),
  ])
  const beginSandbox: RequestHandler = (request, _response, next) => {
    sandboxes.ofRequest(request)?.begin()
    next()
  }
  const controlOrBegin = inOrder([sandboxRoutes(sandboxes, rules.read), beginSandbox, recordOrFail])

  const findSandbox: RequestHandler = (request, response, next) => {
    const { claims } = visitors.tokenOf(request)
    const name = sandboxName(request.get(SANDBOX_HEADER), claims?.sandbox)
    if (name !== undefined) {
      response.setHeader(SANDBOX_HEADER, name)
      logNotes(response).sandbox = name
      sandboxes.choose(request, name)
    }
    // A client without a token must not be able to fill the memory with sandboxes where one is needed.
    const step = visitors.areAllAllowed || claims !== undefined ? controlOrBegin : recordOrFail
    step(request, response, next)
  }
  const enterSandbox: RequestHandler = (request, response, next) => {
    const sandbox = sandboxes.ofRequest(request)?.current
    if (sandbox === undefined) next()
    else sandbox.application()(request, response, next)
  }
  return {
    /**
     * Finds which sandbox a request is for, by its header or by the claim of its token, begins it
     * when the token is valid or none is needed, records the request, and makes it fail by the sandbox's rules.
     */
    findSandbox,
    /** Passes a request for an existing sandbox to that sandbox's application, and any other request on. */
    enterSandbox,
    /** The sandbox that has been found for a request; undefined when it is for the main data. */
    sandboxOf: (request: object) => sandboxes.ofRequest(request),
  }
}

const NAME = new RegExp(SANDBOX_NAME.pattern)

/** Whether a value names a sandbox. */
export function isSandboxName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** @throws HttpError 400 for an invalid name, and when the header and the claim of the token differ */
function sandboxName(header: unknown, claimed: unknown): string | undefined {
  const name = header ?? claimed
  if (name === undefined) return undefined
  if (!isSandboxName(name)) throw badRequest(`${SANDBOX_HEADER} must be ${SANDBOX_NAME.description}.`)
  if (claimed === undefined || claimed === name) return name
  throw badRequest(
    `The token belongs to the sandbox "${claimed}", but ${SANDBOX_HEADER} names "${name}": ` +
      'log in to that one, or leave the header out.',
  )
}
