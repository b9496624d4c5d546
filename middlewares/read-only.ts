import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'

/** json-server's `--read-only`: passes on a 403 for every method that may change something. */
export function readOnly(): RequestHandler {
  return function readOnlyMiddleware({ method }, _response, next) {
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return next()
    next(new HttpError({ status: 403, message: `This server is read-only: ${method} is not allowed.` }))
  }
}
