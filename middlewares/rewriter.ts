import { isLogin, isUserLookup } from '../lib/auth/access-policy'
import type { Handler, HttpRequest, PathOf } from '../lib/http/handler'
import { keepTarget } from '../lib/http/log/line-notes'
import {
  type CurrentRules,
  compileRules,
  currentRules,
  madeFromRules,
  NO_RULES,
  type Rewrite,
  RULES_PATH,
} from '../lib/http/rewrite-rules'

/**
 * Rewrites the request's path by the rules, as json-server's own rewriter does, but does not respond to
 * `/__rules`, so that the token check can come before that: see {@link showRules}. It does not rewrite a
 * login, because no rule may make the login unreachable.
 *
 * @throws TypeError when a rule cannot be used
 *
 * @example
 * app.use(rewriter({ '/api/*': '/$1' })) // before everything that looks at the path
 */
export function rewriter(source: CurrentRules): Handler {
  const rewrite = rewriteOf(source)
  return function rewriterMiddleware(request, response, next) {
    const { originalUrl } = request
    rewrite(request, response)
    // The library changes this as well.
    if (request.originalUrl !== originalUrl) keepTarget(response, originalUrl)
    next()
  }
}

/**
 * The path to which the rules lead a request: for steps that compare paths before they are rewritten.
 *
 * @throws TypeError when a rule cannot be used
 */
export function rewrittenPath(source: CurrentRules): PathOf {
  const rewrite = rewriteOf(source)
  return (request, response) => {
    // The user lookup responds ahead of the rules.
    if (isUserLookup(request.path)) return request.path
    // What is changed in it leaves the request as it is.
    const copy: HttpRequest = Object.create(request)
    rewrite(copy, response)
    return copy.path
  }
}

function rewriteOf(source: CurrentRules): Rewrite {
  const rewrite = madeFromRules(source, compileRules)
  // A rule that cannot be used is refused now, not with the first request.
  rewrite()
  return (request, response) => {
    if (!isLogin(request.method, request.path) && !isRulesPage(request)) rewrite()(request, response)
  }
}

/**
 * json-server's `GET /__rules` page, which exists wherever rules are given, even if they are empty. Mount it
 * after the token check.
 *
 * @example
 * app.use(bearerToken({ key }), showRules(rules))
 */
export function showRules(source: CurrentRules): Handler {
  return function showRulesMiddleware(request, response, next) {
    const rules = currentRules(source)
    if (isRulesPage(request) && rules !== NO_RULES) response.json(rules)
    else next()
  }
}

/** Matches as Express would. json-server's page comes before its rules, so that no rule can hide it. */
function isRulesPage({ method, path }: HttpRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && path.toLowerCase().replace(/\/$/, '') === RULES_PATH
}
