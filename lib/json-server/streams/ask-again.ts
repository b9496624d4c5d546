import { ServerResponse } from 'node:http'
import { response as expressResponse, type Request, type Response } from 'express'

/**
 * Asks a GET again, as it has come to the resources.
 *
 * @param ask puts what it finds into `locals` of a response that nobody gets
 */
export function askAgain(request: Request, ask: (response: Response) => void): unknown {
  const { url, query } = request
  const response = blankResponse(request)
  // json-server's handlers take from the query what they read, and its router of nested paths changes the target.
  request.query = { ...query }
  try {
    ask(response)
  } finally {
    Object.assign(request, { url, query })
  }
  return response.locals.data
}

/** A response without a connection: the handlers set headers, which have been sent already. */
function blankResponse(request: Request): Response {
  const response = Object.assign(new ServerResponse(request), { app: request.app, locals: {} })
  return Object.setPrototypeOf(response, expressResponse)
}
