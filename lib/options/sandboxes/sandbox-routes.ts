import type { NextFunction, Request, Response } from 'express'
import { DataError } from '../../data/valid-data'
import { badRequest, HttpError } from '../../errors'
import { jsonParser } from '../../http/body-parsers'
import { inOrder } from '../../http/express/steps'
import { hasBody } from '../../http/request'
import { sendJson } from '../../http/send-json'
import { isRecord } from '../../is-record'
import { checkContent } from '../../json-server/guards'
import type { Faults } from '../faults/faults'
import { SANDBOX_HEADER } from './header'
import type { Sandboxes } from './sandboxes'

/** Whether a request controls a sandbox, and is not for its data. */
export function isSandboxRoute(path: string): boolean {
  return /^\/__sandbox(\/|$)/.test(path)
}

/** What is done to the sandbox of a name, for a request of which the body, if it has one, is parsed JSON. */
type Respond = (name: string, request: Request, response: Response) => void

/** A route that controls the sandbox of a name. */
type ControlRoute = (
  name: string | undefined,
  request: Request,
  response: Response,
  next: NextFunction,
) => void

/**
 * The routes that control a sandbox.
 *
 * @param readRules reads the rules in a body, or throws what is wrong with them
 * @returns a function that gives the route to which a request leads, if it leads to one
 */
export function sandboxRoutes(
  sandboxes: Sandboxes,
  readRules: (rules: unknown) => Faults,
): (request: Request) => ControlRoute | undefined {
  const routes: Record<string, Respond> = {
    'DELETE /__sandbox'(name, _request, response) {
      sandboxes.forget(name)
      response.status(204).end()
    },
    'POST /__sandbox/reset'(name, { body }, response) {
      if (!isRecord(body))
        throw badRequest('The body must be a JSON object of collections, in braces, or be left out.')
      try {
        sandboxes.reset(name, body)
      } catch (error) {
        throw error instanceof DataError ? badRequest(error.message, UNUSABLE) : error
      }
      response.status(204).end()
    },
    'GET /__sandbox/requests'(name, { query }, response) {
      const filter = { method: oneText(query, 'method'), path: oneText(query, 'path') }
      response.setHeader('Cache-Control', 'no-store')
      // The list is not indented: where bodies are nested deep, spaces would fill the memory.
      sendJson(response, sandboxes.control(name).journal.list(filter), { indentation: 0 })
    },
    'PUT /__sandbox/faults'(name, { body }, response) {
      const faults = readRules(body)
      sandboxes.control(name).faults = faults
      response.status(204).end()
    },
    'PUT /__sandbox/clock'(name, { body }, response) {
      sandboxes.control(name).clock.advance(body)
      response.status(204).end()
    },
    'DELETE /__sandbox/sessions'(name, _request, response) {
      sandboxes.control(name).server().sessions.endAll()
      response.status(204).end()
    },
    'PUT /__sandbox/sessions'(name, { body }, response) {
      if (!isRecord(body) || typeof body.refreshOnce !== 'boolean' || Object.keys(body).length > 1)
        throw badRequest('"refreshOnce" must be true or false, as in {"refreshOnce": true}.')
      sandboxes.control(name).server().sessions.strict = body.refreshOnce
      response.status(204).end()
    },
    'GET /__sandbox/faults'(name, _request, response) {
      response.setHeader('Cache-Control', 'no-store')
      sendJson(response, sandboxes.control(name).faults.list())
    },
  }

  return ({ method, path }) => {
    const respond = routes[`${method} ${path}`]
    return respond === undefined ? undefined : controlRoute(respond)
  }
}

function controlRoute(respond: Respond): ControlRoute {
  return function controlSandbox(name, request, response, next) {
    if (name === undefined)
      throw badRequest(`Name a sandbox: send the header ${SANDBOX_HEADER}, or a token from a login in one.`)
    // Any other body would look like an empty one.
    if (hasBody(request) && !request.is('json'))
      throw new HttpError({
        status: 415,
        message: 'The body must be JSON: send the header Content-Type: application/json.',
      })
    const last = () => {
      checkContent(request.body)
      respond(name, request, response)
    }
    // A parser of Express 5, around this application, may have read the body.
    const wasRead = hasBody(request) && request.readableEnded
    inOrder([!wasRead && parseBody, last])(request, response, next)
  }
}

/** The reason in the log, because the sentence holds names from the body. */
const UNUSABLE = 'the collections in the body cannot be used'

const parseBody = jsonParser({ strict: false })

/** @throws HttpError 400 when a parameter of the query is anything but one string */
function oneText(query: Request['query'], name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`The query parameter "${name}" must be one string: give it once.`)
}
