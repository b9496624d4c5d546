import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'

/** The headers that json-server sends with every response except static files. */
const NO_CACHE = [
  ['Cache-Control', 'no-cache'],
  ['Pragma', 'no-cache'],
  ['Expires', '-1'],
] as const

/** Makes every cache ask again before it uses a response, with the three headers that json-server sends. */
export function noCache(): RequestHandler {
  return function noCacheMiddleware(_request, response, next) {
    forbidCaching(response)
    next()
  }
}

/** Makes every cache ask again before it uses this response. */
export function forbidCaching(response: ServerResponse): void {
  for (const [name, value] of NO_CACHE) response.setHeader(name, value)
}

/** Removes the headers that {@link forbidCaching} has set. */
export function allowCaching(response: ServerResponse): void {
  for (const [name] of NO_CACHE) response.removeHeader(name)
}
