import type { RequestHandler } from 'express'
import { HttpError } from '../lib/errors'
import { isRead } from '../lib/http/request'
import { isLogin } from './login'

/** json-server's `--read-only`: passes on a 403 for every method that may change something. A login changes nothing. */
export function readOnly(): RequestHandler {
  return function readOnlyMiddleware(request, _response, next) {
    const { method } = request
    if (isRead(request) || method === 'OPTIONS' || isLogin(request)) return next()
    next(new HttpError({ status: 403, message: `This server is read-only: ${method} is not allowed.` }))
  }
}
