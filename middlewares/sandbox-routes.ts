import { json, type Request, type RequestHandler } from 'express'
import type { Claims } from '../lib/auth/access-token'
import { DataError } from '../lib/data/valid-data'
import { HttpError } from '../lib/errors'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { countBody } from '../lib/http/count-body'
import { inOrder } from '../lib/http/express/in-order'
import { hasBody } from '../lib/http/request'
import { isRecord } from '../lib/is-record'
import { checkContent } from '../lib/json-server/requests/body-guard'
import { FAULTS_SIZE } from '../lib/sandboxes/facts'
import { readFaultRules } from '../lib/sandboxes/fault-rules'
import { countedFaults } from '../lib/sandboxes/faults'
import { sandboxOf } from '../lib/sandboxes/request-sandbox'
import type { Sandboxes } from '../lib/sandboxes/sandboxes'

export interface SandboxRoutesOptions {
  sandboxes: Sandboxes
  /** The verified claims of a request's token, if it has any. */
  claims: (request: Request) => Claims | undefined
}

/**
 * `POST /__sandbox/reset`, `DELETE /__sandbox` and `PUT /__sandbox/faults`: they control a sandbox, with a
 * token. Any other request is passed on, to the token check where it has no token.
 */
export function sandboxRoutes({ sandboxes, claims }: SandboxRoutesOptions): RequestHandler {
  const forgetSandbox: RequestHandler = (request, response) => {
    sandboxes.forget(requireSandbox(request).name)
    response.status(204).end()
  }
  // Before the body is read.
  const requireRoom: RequestHandler = (request, _response, next) => {
    sandboxes.admit(requireSandbox(request).name, Number(request.headers['content-length'] ?? 0))
    next()
  }
  const resetSandbox: RequestHandler = (request, response) => {
    const { name } = requireSandbox(request)
    const collections: unknown = request.body
    if (!isRecord(collections))
      throw new HttpError({
        status: 400,
        message: 'The body must be a JSON object of collections, in braces, or be left out.',
      })
    try {
      sandboxes.begin(name, collections)
    } catch (error) {
      throw error instanceof DataError ? new HttpError({ status: 400, message: error.message }) : error
    }
    response.status(204).end()
  }
  const setFaults: RequestHandler = (request, response) => {
    const faults = countedFaults(readFaultRules(request.body))
    requireSandbox(request).begin().faults = faults
    response.status(204).end()
  }
  const routes = new Map<string, RequestHandler>([
    ['DELETE /__sandbox', forgetSandbox],
    ['POST /__sandbox/reset', inOrder([requireRoom, parseJson(), resetSandbox])],
    ['PUT /__sandbox/faults', inOrder([parseJson(FAULTS_SIZE), setFaults])],
  ])
  return function sandboxRoutesMiddleware(request, response, next) {
    const respond = routes.get(`${request.method} ${request.path}`)
    if (respond === undefined || claims(request) === undefined) next()
    else respond(request, response, next)
  }
}

function requireSandbox(request: Request) {
  const sandbox = sandboxOf(request)
  if (sandbox === undefined)
    throw new HttpError({
      status: 400,
      message: 'Name a sandbox: send the header X-Sandbox, or a token from a login in one.',
    })
  return sandbox
}

/** Parses a JSON body up to the limit. Any other body is refused: it would look like an empty one. */
function parseJson(limit: number = BODY_LIMITS.json): RequestHandler {
  return inOrder([
    function requireJson(request, _response, next) {
      requireSandbox(request)
      if (hasBody(request) && !request.is('json'))
        throw new HttpError({
          status: 415,
          message: 'The body must be JSON: send the header Content-Type: application/json.',
        })
      next()
    },
    json({ limit, strict: false, verify: countBody }),
    function checkJson(request, _response, next) {
      checkContent(request.body)
      next()
    },
  ])
}
