import type { Request, RequestHandler, Response } from 'express'
import type { Access } from '../../auth/access'
import type { Authentication } from '../../auth/authentication'
import { badRequest, HttpError } from '../../errors'
import { BODY_LIMITS } from '../../http/body-limits'
import { notesOf } from '../../http/notes'
import { readLoginBody } from '../../http/read-login-body'
import type { RewrittenLine } from '../../http/rewrite-rules'
import { SANDBOX_HEADER } from '../../http/sandbox-header'
import { sendUncached } from '../../http/send-json'
import type { FaultSteps } from '../faults/fault-steps'
import { LOGIN_OF_TESTS, SANDBOX_NAME } from './protocol'
import { isSandboxRoute, sandboxRoutes } from './sandbox-routes'
import { Sandboxes, type SandboxesOptions, type TokenFor } from './sandboxes'

interface SandboxStepOptions extends SandboxesOptions {
  /** Knows the token of each request. */
  authentication: Authentication
  access: Access
  /** What the rewrite rules make of a request. */
  rewrittenLine: RewrittenLine
  /** The steps by which rules act. */
  faultSteps: FaultSteps
  /** Gives a token of the main data to whoever a body names. */
  tokenFor: TokenFor
  /** Whether anybody gets refresh tokens. */
  hasRefresh: boolean
  /** Whether there are records of single users, whose requests others do not see either. */
  hasOwners: boolean
}

/** The steps of `--sandboxes`. */
export function makeSandboxSteps(options: SandboxStepOptions) {
  const { contexts } = options.authentication
  const { authentication, access, rewrittenLine, faultSteps, hasRefresh, hasOwners } = options
  const sandboxes = new Sandboxes(options)
  const readBody = readLoginBody(BODY_LIMITS.login)
  const routeFor = sandboxRoutes(sandboxes, { readRules: faultSteps.read, hasRefresh })

  async function logIn(name: string | undefined, request: Request, response: Response, mayControl: boolean) {
    await readBody(request, response)
    const { tokenFor } = name === undefined ? options : sandboxes.enter(name, { mayControl }).server()
    const token = await tokenFor(request)
    // A server without sandboxes has a 401 here.
    if (token === undefined)
      throw new HttpError({ status: 403, message: 'Nobody who can log in has this name and password.' })
    sendUncached(response, { token })
  }

  const findSandbox: RequestHandler = (request, response, next) => {
    const { claims } = authentication.verifiedTokenOf(request)
    const claim = claims?.sandbox ?? contexts.of(request).madeIn
    const name = requestedSandbox(request.get(SANDBOX_HEADER), claim)
    if (name !== undefined) {
      response.setHeader(SANDBOX_HEADER, name)
      notesOf(request).sandbox = name
    }
    /** Whether it may control sandboxes, and push one out: even after a logout, so that a test can clear up. */
    const mayControl = access.allowsAll || claims !== undefined
    const control = mayControl ? routeFor(request) : undefined
    if (control !== undefined) return control(name, request, response, next)
    if (request.method === 'POST' && request.path === LOGIN_OF_TESTS)
      return logIn(name, request, response, mayControl).catch(next)
    if (name === undefined) return next()
    const sandbox = sandboxes.enter(name, { mayControl })
    contexts.of(request).enterSandbox = (...given) => sandbox.server().app(...given)
    if (isSandboxRoute(request.path)) return next()
    const viewer = hasOwners ? sandbox.server().viewerOf?.(request) : undefined
    sandbox.journal.record(request, response, rewrittenLine(request, response).path, viewer)
    faultSteps.choose(() => sandbox.faults)(request, response, next)
  }
  const enterSandbox: RequestHandler = (request, response, next) => {
    const { enterSandbox: enter } = contexts.of(request)
    if (enter === undefined) next()
    else enter(request, response, next)
  }
  return {
    /**
     * Finds which sandbox a request is for, by its header or else by the claim of its token, records the request,
     * and makes it fail by the sandbox's rules. Controls a sandbox where that is asked for.
     */
    findSandbox,
    /** Passes a request for a sandbox to that sandbox's application, and any other request on. */
    enterSandbox,
  }
}

/** @throws HttpError 400 for a header that is no name */
function requestedSandbox(header: string | undefined, claim: unknown): string | undefined {
  // Somebody else who signs tokens may have put anything into the claim.
  if (header === undefined) return typeof claim === 'string' && SANDBOX_NAME.test(claim) ? claim : undefined
  if (!SANDBOX_NAME.test(header))
    throw badRequest(`${SANDBOX_HEADER} must be 1 to 64 letters, digits, dots, underscores or hyphens.`)
  return header
}
