import type { RequestHandler } from 'express'
import { forbidCaching } from '../lib/http/cache-headers'

/** Makes every cache ask again, with the three headers that json-server sends. */
export function noCache(): RequestHandler {
  return function noCacheMiddleware(_request, response, next) {
    forbidCaching(response)
    next()
  }
}
