import type { NextFunction, Request, Response } from 'express'
import { DataError } from '../../data/valid-data'
import { badRequest, HttpError, OptionError } from '../../errors'
import { jsonParser } from '../../http/body-parsers'
import { inOrder } from '../../http/express/steps'
import { hasBody } from '../../http/request'
import { SANDBOX_HEADER } from '../../http/sandbox-header'
import { sendJson } from '../../http/send-json'
import { isRecord } from '../../is-record'
import { checkContent } from '../../json-server/guards'
import type { Faults } from '../faults/faults'
import { readAdvance } from './sandbox-clock'
import type { Sandboxes } from './sandboxes'

/** Whether a request controls a sandbox, and is not for its data. */
export function isSandboxRoute(path: string): boolean {
  return /^\/__sandbox(\/|$)/.test(path)
}

interface SandboxRoutesOptions {
  /** Reads the rules in a body, or throws what is wrong with them. */
  readRules: (rules: unknown) => Faults
  /** Whether anybody gets refresh tokens. */
  hasRefresh: boolean
}

/**
 * What a route does to the sandbox of a name, for a request of which the body, if it has one, is parsed JSON. What it
 * returns is sent as JSON; nothing is a 204.
 */
type SandboxRoute = (name: string, request: Request) => unknown

/** A route that controls the sandbox of a name, if the request names one. */
type ControlRoute = (
  name: string | undefined,
  request: Request,
  response: Response,
  next: NextFunction,
) => void

/** Only a request that may control sandboxes comes to these routes. */
const IN_CONTROL = { mayControl: true }

/**
 * The routes that control a sandbox.
 *
 * @returns a function that gives the route to which a request leads, if it leads to one
 */
export function sandboxRoutes(
  sandboxes: Sandboxes,
  { readRules, hasRefresh }: SandboxRoutesOptions,
): (request: Request) => ControlRoute | undefined {
  const routes: Record<string, SandboxRoute> = {
    'DELETE /__sandbox': (name) => sandboxes.forget(name),
    'POST /__sandbox/reset'(name, { body }) {
      if (!isRecord(body))
        throw badRequest('The body must be a JSON object of collections, in braces, or be left out.')
      fromBody('collections', () => sandboxes.reset(name, body))
    },
    'GET /__sandbox/requests'(name, request) {
      const { query } = request
      const unknown = Object.keys(query).find((key) => !['method', 'path'].includes(key))
      if (unknown !== undefined)
        throw badRequest(`There is no filter "${unknown}": the requests are filtered by method and path.`)
      const filter = { method: oneText(query, 'method'), path: oneText(query, 'path') }
      const { journal, server } = sandboxes.enter(name, IN_CONTROL)
      return journal.list(filter, server().viewerOf?.(request))
    },
    'GET /__sandbox/faults': (name) => sandboxes.enter(name, IN_CONTROL).faults.list(),
    'PUT /__sandbox/faults'(name, { body }) {
      const faults = fromBody('rules', () => readRules(body))
      sandboxes.set(name).faults = faults
    },
    'PUT /__sandbox/clock'(name, { body }) {
      const seconds = readAdvance(onlyField(body, 'advance'))
      sandboxes.set(name).clock.advance(seconds)
    },
    'DELETE /__sandbox/sessions': (name) => sandboxes.set(name).server().sessions.ended.endAll(),
    'PUT /__sandbox/sessions'(name, { body }) {
      const refreshOnce = onlyField(body, 'refreshOnce')
      if (typeof refreshOnce !== 'boolean')
        throw badRequest('"refreshOnce" must be true or false, as in {"refreshOnce": true}.')
      if (!hasRefresh)
        throw badRequest('This server gives nobody a refresh token: start it with --refresh and a path.')
      sandboxes.set(name).server().sessions.refreshOnce = refreshOnce
    },
  }

  return ({ method, path }) => {
    const route = routes[`${method} ${path}`]
    return route && controlRoute(route)
  }
}

function controlRoute(route: SandboxRoute): ControlRoute {
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
      const sent = route(name, request)
      if (sent === undefined) response.status(204).end()
      else {
        response.setHeader('Cache-Control', 'no-store')
        // It is not indented: where bodies are nested deep, spaces would fill the memory.
        sendJson(response, sent, { indentation: 0 })
      }
    }
    // A parser of Express 5, around this application, may have read the body.
    const wasRead = hasBody(request) && request.readableEnded
    inOrder([!wasRead && parseBody, last])(request, response, next)
  }
}

/**
 * Uses a body. The reason in the log is another one than the sentence, which holds names from the body.
 *
 * @throws HttpError 400 where it holds what an option could not be either
 */
function fromBody<Used>(content: string, use: () => Used): Used {
  try {
    return use()
  } catch (error) {
    if (error instanceof DataError || error instanceof OptionError)
      throw badRequest(error.message, `the ${content} in the body cannot be used`)
    throw error
  }
}

const parseBody = jsonParser({ strict: false })

/** @returns undefined where the body is no object with this field alone */
function onlyField(body: unknown, name: string): unknown {
  return isRecord(body) && Object.keys(body).length === 1 ? body[name] : undefined
}

/** @throws HttpError 400 when a parameter of the query is anything but one string */
function oneText(query: Request['query'], name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw badRequest(`The query parameter "${name}" must be one string: give it once.`)
}
