import type { Request, RequestHandler } from 'express'
import { areClaims, type Claims } from '../../auth/access-token'
import type { Visitors } from '../../auth/visitors'
import { HttpError } from '../../errors'
import { inOrder } from '../../http/express/in-order'
import type { PathOf } from '../../http/handler'
import type { DocsAddition } from '../docs-addition'
import type { SandboxAddition } from '../sandbox-addition'
import { sandboxDocs } from './docs/sandbox-docs'
import { journal } from './journal-step'
import { SANDBOX_NAME } from './limits'
import { RequestSandbox, sandboxOf } from './request-sandbox'
import { sandboxRoutes } from './sandbox-routes'
import { openSandboxes, type SandboxesOptions } from './sandboxes'

export interface SandboxStepOptions extends SandboxesOptions {
  /** Knows the token of each request. */
  visitors: Visitors
  /** The path of a request behind the rewrite rules. */
  rewrittenPath: PathOf
  /** What other options add. */
  additions: readonly SandboxAddition[]
}

/** The steps of `--sandboxes`, and what the other steps take from them, so that they need not know more. */
export interface SandboxSteps {
  /**
   * Finds which sandbox a request is for, by its header X-Sandbox or by the claim of its token, begins it
   * when the token is valid or none is needed, records the request, and does what other options add.
   */
  find: RequestHandler
  /** Passes a request for an existing sandbox to that sandbox's application, and any other request on. */
  enter: RequestHandler
  /** The sandbox that has been found for a request; undefined when it is for the main data. */
  found: (request: object) => RequestSandbox | undefined
  /** For the document and its page. */
  docs: () => DocsAddition
}

/** The steps of `--sandboxes`. */
export function sandboxes(options: SandboxStepOptions): SandboxSteps {
  const { visitors, rewrittenPath, additions } = options
  const kept = openSandboxes(options)
  const claims = (request: Request) => {
    const token = visitors.tokenOf(request)
    const isValid = areClaims(token) && (token.sandbox === undefined || isSandboxName(token.sandbox))
    return isValid ? token : undefined
  }

  const choose: RequestHandler = (request, response, next) => {
    const name = sandboxName(request.headers['x-sandbox'], claims(request))
    if (name !== undefined) {
      response.setHeader('X-Sandbox', name)
      new RequestSandbox(name, kept).assignTo(request)
    }
    next()
  }
  // Only with a valid token, where one is needed: an anonymous client must not be able to fill the memory.
  const isTrusted = (request: Request) => visitors.areAllAllowed || claims(request) !== undefined
  const begin: RequestHandler = (request, _response, next) => {
    if (isTrusted(request)) sandboxOf(request)?.begin()
    next()
  }
  const control = sandboxRoutes({ sandboxes: kept, isTrusted, additions })
  const added = additions.map(({ step }) => step((request) => sandboxOf(request)?.current))
  return {
    find: inOrder([choose, control, begin, journal(rewrittenPath), ...added]),
    enter(request, response, next) {
      const application = sandboxOf(request)?.current?.application
      if (application === undefined) next()
      else application(request, response, next)
    },
    found: sandboxOf,
    docs: () => sandboxDocs(additions),
  }
}

const NAME = new RegExp(SANDBOX_NAME.pattern)

/** Whether a value of the header X-Sandbox, or of the claim `sandbox`, is a valid name of a sandbox. */
function isSandboxName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** @throws HttpError 400 for an invalid name, and when the header and the claim of the token differ */
function sandboxName(header: unknown, claims: Claims | undefined): string | undefined {
  const claimed = claims?.sandbox
  const name = header ?? claimed
  if (name === undefined) return undefined
  if (!isSandboxName(name))
    throw new HttpError({ status: 400, message: `X-Sandbox must be ${SANDBOX_NAME.mustBe}.` })
  if (claimed === undefined || claimed === name) return name
  throw new HttpError({
    status: 400,
    message:
      `The token belongs to the sandbox "${claimed}", but X-Sandbox names "${name}": ` +
      'log in to that one, or leave the header out.',
  })
}
