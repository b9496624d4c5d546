import { LOGIN_PATH } from '../lib/auth/access-policy'
import type { Handler, HttpRequest, PathOf } from '../lib/http/handler'
import { logNotes } from '../lib/http/log/log-notes'
import { isRead } from '../lib/http/request'
import {
  type CurrentRules,
  compileRules,
  currentRules,
  madeFromRules,
  NO_RULES,
  type Rewrite,
  RULES_PATH,
} from '../lib/http/rewrite-rules'
import { isLogin } from './login'

/** Whether a request is for a service that no rule may lead away from. */
type IsFixed = (request: HttpRequest) => boolean

/** Whether a rule for exactly the login's path may lead to a target. */
type ActsOnLogin = (target: string) => boolean

/**
 * Rewrites the request's path by the rules, as json-server's own rewriter does, but does not respond to
 * `/__rules`, so that the token check can come before that: see {@link showRules}.
 *
 * @param isFixed requests that it does not rewrite. Default: logins, because no rule may make the login
 *   unreachable.
 * @param actsOnLogin whether a rule for exactly the login's path may lead to a target. Default: none may.
 * @throws TypeError when a rule cannot be used
 *
 * @example
 * app.use(rewriter({ '/api/*': '/$1' })) // before everything that looks at the path
 */
export function rewriter(
  source: CurrentRules,
  isFixed: IsFixed = isLogin,
  actsOnLogin: ActsOnLogin = () => false,
): Handler {
  const rewrite = rewriteOf(source, isFixed, actsOnLogin)
  return function rewriterMiddleware(request, response, next) {
    const { originalUrl } = request
    rewrite(request, response)
    // The library has changed the target of a request that a rule names.
    if (request.originalUrl !== originalUrl) logNotes(response).target = originalUrl
    next()
  }
}

/**
 * The path to which the rules lead a request: for steps that compare paths before they are rewritten.
 *
 * @throws TypeError when a rule cannot be used
 */
export function rewrittenPath(source: CurrentRules, isFixed: IsFixed, actsOnLogin: ActsOnLogin): PathOf {
  const rewrite = rewriteOf(source, isFixed, actsOnLogin)
  return (request, response) => {
    // The rewriter changes the copy, and leaves the request as it is.
    const copy: HttpRequest = Object.create(request)
    rewrite(copy, response)
    return copy.path
  }
}

function rewriteOf(source: CurrentRules, isFixed: IsFixed, actsOnLogin: ActsOnLogin): Rewrite {
  const currentRewrite = madeFromRules(source, compileRules)
  const loginRule = madeFromRules(source, ({ [LOGIN_PATH]: target }) => ({
    target,
    rewrite: compileRules(target === undefined ? NO_RULES : { [LOGIN_PATH]: target }),
  }))
  // A rule that cannot be used is refused now, not with the first request.
  currentRewrite()
  return (request, response) => {
    if (isRulesPage(request)) return
    if (isLogin(request)) {
      const { target, rewrite } = loginRule()
      if (target !== undefined && actsOnLogin(target)) rewrite(request, response)
    } else if (!isFixed(request)) {
      const rewrite = currentRewrite()
      rewrite(request, response)
    }
  }
}

/**
 * json-server's `GET /__rules` page. Mount it after the token check.
 *
 * @example
 * app.use(bearerToken({ key }), showRules(rules))
 */
export function showRules(source: CurrentRules): Handler {
  return function showRulesMiddleware(request, response, next) {
    if (isRulesPage(request)) response.json(currentRules(source))
    else next()
  }
}

/**
 * Whether a request is for json-server's page of rules, as Express would match its path. That page comes
 * before the rules, so that no rule can hide it.
 */
function isRulesPage(request: HttpRequest): boolean {
  return isRead(request) && request.path.toLowerCase().replace(/\/$/, '') === RULES_PATH
}
