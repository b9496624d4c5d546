import { request as expressRequest, response as expressResponse } from 'express'
import { isForAccount, SPECIFIED_LOGIN } from '../lib/auth/account-route'
import type { Lead } from '../lib/auth/allow-rules'
import { currentOf, madeFrom } from '../lib/current'
import type { Handler, HttpRequest, HttpResponse } from '../lib/http/handler'
import { notesOf } from '../lib/http/notes'
import { comparablePath, isRead, type RequestLine } from '../lib/http/request'
import {
  type CurrentRules,
  compileRules,
  type KeepsQuery,
  prefixOf,
  type Rewrite,
  type RewrittenLine,
  RULES_PATH,
} from '../lib/http/rewrite-rules'
import { type KindsOf, requireKinds } from '../lib/option-kinds'

interface RewritingOptions {
  /** Whether a request is for a built-in route from which no rule may lead it away. */
  isFixed: (request: RequestLine) => boolean
  /**
   * Whether nothing beside a rule can respond to a path: then a rule that matches only without the query is followed, and
   * the query kept. Default: it never is, as in json-server.
   */
  isUnknown?: (path: string) => boolean
}

/** How the rules change a request. */
interface Rewriting {
  /** Changes the request itself. */
  step: Handler
  /** What the rules make of a request, for steps that come before them. */
  rewrittenLine: RewrittenLine
  /** What the rules make of a request that nobody has sent yet; the same if one of them takes too long. */
  lead: Lead
}

const RULES_KINDS: KindsOf<{ source: CurrentRules }> = {
  source: ['an object', 'a function that returns at once'],
}

/**
 * Rewrites the request's path by the rules, as json-server's own rewriter does, but does not respond to
 * `/__rules`, so that the token check can come before that: see {@link showRules}. No rule may make the login
 * unreachable.
 *
 * @throws TypeError when the rules are neither an object nor a function, or one of them cannot be used
 *
 * @example
 * app.use(rewriter({ '/api/*': '/$1' })) // before everything that looks at the path
 */
export function rewriter(source: CurrentRules): Handler {
  requireKinds({ source }, RULES_KINDS)
  return rewriting(source, { isFixed: (request) => isForAccount(SPECIFIED_LOGIN, request) }).step
}

/**
 * The same for a server that has built in other routes than the login.
 *
 * @throws TypeError when a rule cannot be used
 */
export function rewriting(
  source: CurrentRules,
  { isFixed, isUnknown = () => false }: RewritingOptions,
): Rewriting {
  const keepsQuery: KeepsQuery = ({ path }) => isUnknown(path)
  const current = madeFrom(source, (rules) => compileRules(rules, keepsQuery))
  const prefix = madeFrom(source, prefixOf)
  // A rule that cannot be used is refused now, not with the first request.
  current()
  const rewrite: Rewrite = (request, response) => {
    if (!isRulesPage(request) && !isFixed(request)) current()(request, response)
  }
  return {
    step: function rewriterMiddleware(request, response, next) {
      const { originalUrl, method } = request
      rewrite(request, response)
      // The library has changed the target of a request that a rule names.
      if (request.originalUrl !== originalUrl) {
        const notes = notesOf(request)
        notes.sentTarget = originalUrl
        if (originalUrl.startsWith(`${prefix()}/`)) notes.prefix = prefix()
      }
      if (request.method !== method) notesOf(request).sentMethod = method
      next()
    },
    rewrittenLine(request, response) {
      // The rules change the copy, and leave the request as it is.
      const copy: HttpRequest = Object.create(request)
      rewrite(copy, response)
      return { method: copy.method, path: copy.path }
    },
    lead({ method, path }) {
      const request: HttpRequest = Object.create(expressRequest)
      Object.assign(request, { method, url: path, originalUrl: path, query: {} })
      const response: HttpResponse = Object.create(expressResponse)
      try {
        rewrite(request, response)
      } catch {
        return { method, target: path }
      }
      return { method: request.method, target: request.url }
    },
  }
}

/**
 * json-server's `GET /__rules` page. Mount it after the token check.
 *
 * @throws TypeError when the rules are neither an object nor a function
 *
 * @example
 * app.use(bearerToken({ key }), showRules(rules))
 */
export function showRules(source: CurrentRules): Handler {
  requireKinds({ source }, RULES_KINDS)
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
