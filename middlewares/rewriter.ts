import type { RequestHandler } from 'express'
import { type CurrentRules, compileRules, currentRules } from '../lib/http/rewrite-rules'

/**
 * Rewrites the request's path by the rules, as json-server's own rewriter. Unlike that one it does not respond to
 * `/__rules`, so that the token check can stand between: see {@link showRules}.
 *
 * @throws TypeError when a rule is no path pattern, or leads to a path with a parameter that it does not have
 */
export function rewriter(source: CurrentRules): RequestHandler {
  let rules = currentRules(source)
  let rewrite = compileRules(rules)
  return function rewriterMiddleware(request, response, next) {
    if (rules !== currentRules(source)) {
      rules = currentRules(source)
      rewrite = compileRules(rules)
    }
    rewrite(request, response)
    next()
  }
}

/** json-server's `GET /__rules` page. Mount it below the token check. */
export function showRules(source: CurrentRules): RequestHandler {
  return function showRulesMiddleware(request, response, next) {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && /^\/__rules\/?$/i.test(request.path)) response.json(currentRules(source))
    else next()
  }
}
