import { LOGIN_PATH } from '../lib/auth/access-policy'
import type { Allowed } from '../lib/auth/allow-rules'
import { actsOnLogin } from '../lib/auth/login-rule'
import { isFixed, type Service } from '../lib/auth/service'
import { currentOf, madeFrom } from '../lib/current'
import type { Handler, HttpRequest, PathOf } from '../lib/http/handler'
import { logNotes } from '../lib/http/log/log-notes'
import { comparablePath, isRead } from '../lib/http/request'
import {
  type CurrentRules,
  compileRules,
  type KeepsQuery,
  NO_RULES,
  type Rewrite,
  type RewriteRules,
  RULES_PATH,
} from '../lib/http/rewrite-rules'
import { isLogin, LOGIN } from './login'

export interface RewritingOptions {
  /** What the server responds to itself: a rule may act on it only where that says so. */
  services: () => readonly Service[]
  /** What needs no token. */
  allowed: Allowed
  /**
   * Whether nothing beside a rule can respond to a path: then a rule that matches only without the query is
   * followed, and the query kept. Default: it never is, as in json-server.
   */
  isUnknown?: (path: string) => boolean
}

/** How the rules change a request. */
export interface Rewriting {
  /** Changes the path of the request itself. */
  step: Handler
  /** The path to which the rules lead a request, for steps that compare paths before they are rewritten. */
  pathOf: PathOf
}

/**
 * Rewrites the request's path by the rules, as json-server's own rewriter does, but does not respond to
 * `/__rules`, so that the token check can come before that: see {@link showRules}. No rule may make the login
 * unreachable.
 *
 * @throws TypeError when a rule cannot be used
 *
 * @example
 * app.use(rewriter({ '/api/*': '/$1' })) // before everything that looks at the path
 */
export function rewriter(source: CurrentRules): Handler {
  return rewriting(source, { services: () => [LOGIN], allowed: [] }).step
}

/**
 * The same for a server with other services.
 *
 * @throws TypeError when a rule cannot be used
 */
export function rewriting(source: CurrentRules, options: RewritingOptions): Rewriting {
  const { services, allowed, isUnknown = () => false } = options
  const keepsQuery: KeepsQuery = ({ path }) =>
    isUnknown(path) && !services().some(({ hasPath }) => hasPath(path))
  const current = madeFrom(source, (rules) => compile(rules, keepsQuery))
  // A rule that cannot be used is refused now, not with the first request.
  current()
  const rewrite: Rewrite = (request, response) => {
    if (isRulesPage(request)) return
    const { all, loginTarget, login } = current()
    if (!isLogin(request)) {
      if (!isFixed(services(), request)) all(request, response)
    } else if (loginTarget !== undefined && actsOnLogin(loginTarget, services(), allowed))
      login(request, response)
  }
  return {
    step: function rewriterMiddleware(request, response, next) {
      const { originalUrl } = request
      rewrite(request, response)
      // The library has changed the target of a request that a rule names.
      if (request.originalUrl !== originalUrl) logNotes(response).target = originalUrl
      next()
    },
    pathOf(request, response) {
      // The rules change the copy, and leave the request as it is.
      const copy: HttpRequest = Object.create(request)
      rewrite(copy, response)
      return copy.path
    },
  }
}

/** All rules, and apart from them the one for exactly the login's path, if there is one. */
function compile(rules: RewriteRules, keepsQuery: KeepsQuery) {
  const { [LOGIN_PATH]: loginTarget } = rules
  const loginRules = loginTarget === undefined ? NO_RULES : { [LOGIN_PATH]: loginTarget }
  return { all: compileRules(rules, keepsQuery), loginTarget, login: compileRules(loginRules) }
}

/**
 * json-server's `GET /__rules` page. Mount it after the token check.
 *
 * @example
 * app.use(bearerToken({ key }), showRules(rules))
 */
export function showRules(source: CurrentRules): Handler {
  return function showRulesMiddleware(request, response, next) {
    if (isRulesPage(request)) response.json(currentOf(source))
    else next()
  }
}

/**
 * Whether a request is for json-server's page of rules, as Express would match its path. That page comes
 * before the rules, so that no rule can hide it.
 */
function isRulesPage(request: HttpRequest): boolean {
  return isRead(request) && comparablePath(request.path) === RULES_PATH
}
