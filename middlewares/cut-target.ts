import type { RequestHandler } from 'express'
import { badRequest } from '../lib/errors'
import { BAD_TARGET, originForm } from '../lib/http/origin-form'

/**
 * Cuts the scheme and the authority off an absolute target (`GET http://host/users`), as proxies send it, in
 * `url` and `originalUrl`: rules, links and the user's own middlewares expect a path.
 *
 * Passes on 400 for a target that is none.
 */
export function cutTarget(): RequestHandler {
  return function cutTargetMiddleware(request, _response, next) {
    const [url, originalUrl] = [originForm(request.url), originForm(request.originalUrl)]
    if (url === undefined || originalUrl === undefined) return next(badRequest(BAD_TARGET))
    // Nearly every target is a path already.
    if (url !== request.url) Object.assign(request, { url, originalUrl })
    next()
  }
}
