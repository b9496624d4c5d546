import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { Access } from '../../auth/access'
import type { AccountRoute } from '../../auth/account-route'
import type { Authentication } from '../../auth/authentication'
import type { Contexts } from '../../auth/contexts'
import { tokenFields } from '../../auth/token-fields'
import { badRequest } from '../../errors'
import type { PathOf } from '../../http/handler'
import { notesOf } from '../../http/notes'
import { sendJson } from '../../http/send-json'
import type { FaultSteps } from '../faults/fault-steps'
import { LOGIN_PLACE, type LoginPlace, SANDBOX_HEADER, SANDBOX_NAME } from './protocol'
import { isSandboxRoute, sandboxRoutes } from './sandbox-routes'
import { Sandboxes, type SandboxesOptions } from './sandboxes'

interface SandboxStepOptions extends SandboxesOptions {
  /** What the server knows of each request. */
  contexts: Contexts
  /** Knows the token of each request. */
  authentication: Authentication
  access: Access
  /** The path of a request after the rewrite rules. */
  rewrittenPath: PathOf
  /** The steps by which rules act. */
  faultSteps: FaultSteps
  /** The routes of accounts; a test logs in at the first login. */
  accounts: readonly AccountRoute[]
  /** Whether anybody gets refresh tokens. */
  hasRefresh: boolean
}

/** The steps of `--sandboxes`. */
export function makeSandboxSteps(options: SandboxStepOptions) {
  const { contexts, authentication, access, rewrittenPath, faultSteps, hasRefresh } = options
  const sandboxes = new Sandboxes(options)
  const login = loginPlace(options.accounts, authentication.cookies[0])
  const routeFor = sandboxRoutes(sandboxes, { readRules: faultSteps.read, hasRefresh })
  /** Whether a request may control sandboxes, and push one out. */
  const mayControl = (request: IncomingMessage) =>
    access.isOpen || authentication.tokenOf(request).claims !== undefined

  const findSandbox: RequestHandler = (request, response, next) => {
    if (request.method === LOGIN_PLACE.method && request.path === LOGIN_PLACE.path)
      return sendJson(response, login)
    const claim = authentication.tokenOf(request).claims?.sandbox ?? contexts.of(request).madeIn
    const name = requestedSandbox(request.get(SANDBOX_HEADER), claim)
    if (name !== undefined) {
      response.setHeader(SANDBOX_HEADER, name)
      notesOf(request).sandbox = name
    }
    const mayPushOut = mayControl(request)
    const control = mayPushOut ? routeFor(request) : undefined
    if (control !== undefined) return control(name, request, response, next)
    if (name === undefined) return next()
    const sandbox = sandboxes.enter(name, { mayPushOut })
    contexts.of(request).enterSandbox = (...given) => sandbox.server().app(...given)
    if (isSandboxRoute(request.path)) return next()
    sandbox.journal.record(request, response, rewrittenPath(request, response))
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

/**
 * The place of the first login.
 *
 * @param cookie the one in which tokens travel, if they do
 */
function loginPlace(routes: readonly AccountRoute[], cookie: string | undefined): LoginPlace | undefined {
  const login = routes.find(({ does }) => does === 'logIn')
  if (login === undefined) return undefined
  const { method, path, header } = login
  const places = { ...(header !== undefined && { header }), ...(cookie !== undefined && { cookie }) }
  return { method, path, token: tokenFields(login) ?? [], ...places }
}
