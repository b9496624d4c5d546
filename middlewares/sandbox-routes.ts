import { json, type Request, type RequestHandler } from 'express'
import { DataError } from '../lib/data/valid-data'
import { HttpError } from '../lib/errors'
import { FAULTS_SIZE } from '../lib/faults/fault-rule'
import { Faults } from '../lib/faults/faults'
import { FaultRuleError, readFaultRules } from '../lib/faults/read-fault-rules'
import { BODY_LIMITS } from '../lib/http/body-limits'
import { inOrder } from '../lib/http/express/in-order'
import { requireRoomFor } from '../lib/http/heap-room'
import { hasBody } from '../lib/http/request'
import { sendJson } from '../lib/http/send-json'
import { isRecord } from '../lib/is-record'
import { checkContent } from '../lib/json-server/requests/body-guard'
import { sandboxOf } from '../lib/sandboxes/request-sandbox'
import type { Sandboxes } from '../lib/sandboxes/sandboxes'

export interface SandboxRoutesOptions {
  sandboxes: Sandboxes
  /** Whether a request has a valid token, or needs none. */
  isTrusted: (request: Request) => boolean
}

/** Whether a request controls a sandbox, and is not for its data. */
export function isSandboxRoute(path: string): boolean {
  return path === '/__sandbox' || path.startsWith('/__sandbox/')
}

/**
 * `POST /__sandbox/reset`, `DELETE /__sandbox`, `PUT` and `GET /__sandbox/faults`, and
 * `GET /__sandbox/requests`: they control a sandbox, with a token. Any other request is passed on, and one
 * without a token is then refused.
 */
export function sandboxRoutes({ sandboxes, isTrusted }: SandboxRoutesOptions): RequestHandler {
  const forgetSandbox: RequestHandler = (request, response) => {
    sandboxes.forget(requireSandbox(request).name)
    response.status(204).end()
  }
  // Before the body is read.
  const requireRoom: RequestHandler = (request, _response, next) => {
    sandboxes.admit(requireSandbox(request).name)
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
    refuse(DataError, () => sandboxes.begin(name, collections))
    response.status(204).end()
  }
  const setFaults: RequestHandler = (request, response) => {
    const rules = refuse(FaultRuleError, () => readFaultRules(request.body))
    requireSandbox(request).begin().faults = new Faults(rules)
    response.status(204).end()
  }
  const listFaults: RequestHandler = (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, requireSandbox(request).begin().faults?.list() ?? [])
  }
  const listRequests: RequestHandler = (request, response) => {
    const filter = { method: textOf(request, 'method'), path: textOf(request, 'path') }
    const requests = requireSandbox(request).begin().journal.list(filter)
    response.setHeader('Cache-Control', 'no-store')
    // Without indentation, which would fill the memory with spaces where bodies are nested deep.
    sendJson(response, requests, { indentation: 0 })
  }
  const routes = new Map<string, RequestHandler>([
    ['DELETE /__sandbox', forgetSandbox],
    ['POST /__sandbox/reset', inOrder([requireRoom, parseJson(), resetSandbox])],
    ['PUT /__sandbox/faults', inOrder([parseJson(FAULTS_SIZE), setFaults])],
    ['GET /__sandbox/faults', listFaults],
    ['GET /__sandbox/requests', listRequests],
  ])
  return function sandboxRoutesMiddleware(request, response, next) {
    const respond = routes.get(`${request.method} ${request.path}`)
    if (respond === undefined || !isTrusted(request)) next()
    else respond(request, response, next)
  }
}

/** @throws HttpError 400 instead of an error about the content of the request */
function refuse<Result>(kind: typeof DataError | typeof FaultRuleError, use: () => Result): Result {
  try {
    return use()
  } catch (error) {
    throw error instanceof kind ? new HttpError({ status: 400, message: error.message }) : error
  }
}

/** @throws HttpError 400 when a parameter of the query is anything but one string */
function textOf({ query }: Request, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw new HttpError({
    status: 400,
    message: `The query parameter "${name}" must be one string: give it once.`,
  })
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

/** Parses a JSON body up to the limit. Any other body would look like an empty one, so it is refused. */
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
    json({ limit, strict: false, verify: requireRoomFor }),
    function checkJson(request, _response, next) {
      checkContent(request.body)
      next()
    },
  ])
}
