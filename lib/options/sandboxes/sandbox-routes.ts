import { json, type Request, type RequestHandler } from 'express'
import { DataError } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { BODY_LIMITS } from '../../http/body-limits'
import { inOrder } from '../../http/express/in-order'
import { requireRoomFor } from '../../http/heap-room'
import { hasBody } from '../../http/request'
import { sendJson } from '../../http/send-json'
import { isRecord } from '../../is-record'
import { checkContent } from '../../json-server/guards'
import type { SandboxAddition } from '../sandbox-addition'
import { sandboxOf } from './request-sandbox'
import type { Sandboxes } from './sandboxes'

export interface SandboxRoutesOptions {
  sandboxes: Sandboxes
  /** Whether a request has a valid token, or needs none. */
  isTrusted: (request: Request) => boolean
  /** What other options add. */
  additions: readonly SandboxAddition[]
}

/** Whether a request controls a sandbox, and is not for its data. */
export function isSandboxRoute(path: string): boolean {
  return path === '/__sandbox' || path.startsWith('/__sandbox/')
}

/**
 * `POST /__sandbox/reset`, `DELETE /__sandbox`, `GET /__sandbox/requests` and what other options add: they
 * control a sandbox, with a token. Any other request is passed on, and one without a token is then refused.
 */
export function sandboxRoutes({ sandboxes, isTrusted, additions }: SandboxRoutesOptions): RequestHandler {
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
    try {
      sandboxes.begin(name, collections)
    } catch (error) {
      throw error instanceof DataError ? new HttpError({ status: 400, message: error.message }) : error
    }
    response.status(204).end()
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
    ['GET /__sandbox/requests', listRequests],
  ])
  for (const [route, { limit, respond }] of additions.flatMap(({ routes }) => Object.entries(routes))) {
    const last: RequestHandler = (request, response) =>
      respond(requireSandbox(request).begin(), request, response)
    routes.set(route, limit === undefined ? last : inOrder([parseJson(limit), last]))
  }
  return function sandboxRoutesMiddleware(request, response, next) {
    const respond = routes.get(`${request.method} ${request.path}`)
    if (respond === undefined || !isTrusted(request)) next()
    else respond(request, response, next)
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
