import type { RequestHandler } from 'express'
import { respondsTo } from '../lib/auth/service'
import type { Visitors } from '../lib/auth/visitors'

/**
 * Lets a login pass the token check, where one needs no token: a middleware of the user's may respond to it. Mount the
 * login itself after those.
 */
export function admitLogin(logIn: RequestHandler, visitors: Visitors): RequestHandler {
  return function admitLoginMiddleware(request, _response, next) {
    if (respondsTo(logIn, request)) visitors.letPass(request)
    next()
  }
}
