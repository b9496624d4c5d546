import type { RequestHandler } from 'express'
import rewrite from 'express-urlrewrite'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/** Rewrite rules, or what gives the current ones: where they can change while the server runs. */
export type CurrentRules = RewriteRules | (() => RewriteRules)

/**
 * Rewrites the request's path by the rules, with the library and in the order of json-server's own rewriter.
 * Unlike that one it does not answer `/__rules`, so that the token check can stand between: see {@link showRules}.
 *
 * @throws TypeError when a rule is no path pattern, or leads to a path with a parameter that it does not have
 */
export function rewriter(source: CurrentRules): RequestHandler {
  let rules = current(source)
  let rewriters = compile(rules)
  return function rewriterMiddleware(request, response, next) {
    if (rules !== current(source)) {
      rules = current(source)
      rewriters = compile(rules)
    }
    // Each calls its `next` at once, so they need no router to run one after the other.
    for (const rewriteUrl of rewriters) rewriteUrl(request, response, () => {})
    next()
  }
}

/** json-server's `GET /__rules` page. Mount it below the token check. */
export function showRules(source: CurrentRules): RequestHandler {
  return function showRulesMiddleware(request, response, next) {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && /^\/__rules\/?$/i.test(request.path)) response.json(current(source))
    else next()
  }
}

function current(source: CurrentRules): RewriteRules {
  return typeof source === 'function' ? source() : source
}

function compile(rules: RewriteRules): RequestHandler[] {
  return Object.entries(rules).map(([from, to]) => {
    const unknown = namesIn(to).find((name) => !namesIn(from).includes(name))
    if (unknown !== undefined) throw new TypeError(`the rule "${from}" has no parameter ":${unknown}"`)
    return rewrite(from, to)
  })
}

/** The names that express-urlrewrite fills in. One that the rule does not have would fail every request for it. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}
