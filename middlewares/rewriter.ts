import { type RequestHandler, Router } from 'express'
import rewrite from 'express-urlrewrite'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrites the request's path by the rules, with the library and in the order of json-server's own rewriter.
 * Unlike that one it does not answer `/__rules`, so that the token check can stand between: see {@link showRules}.
 *
 * @param currentRules gives the rules; they are compiled again only when it gives another object
 */
export function rewriter(currentRules: () => RewriteRules): RequestHandler {
  let rules = currentRules()
  let router = compile(rules)
  return function rewriterMiddleware(request, response, next) {
    if (rules !== currentRules()) {
      rules = currentRules()
      router = compile(rules)
    }
    router(request, response, next)
  }
}

/** json-server's `GET /__rules` page. Mount it below the token check. */
export function showRules(currentRules: () => RewriteRules): RequestHandler {
  return Router().get('/__rules', function showRulesHandler(_request, response) {
    response.json(currentRules())
  })
}

function compile(rules: RewriteRules): Router {
  const router = Router()
  for (const [from, to] of Object.entries(rules)) router.use(rewrite(from, to))
  return router
}
