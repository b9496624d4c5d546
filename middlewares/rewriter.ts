import { type RequestHandler, Router } from 'express'
import rewrite from 'express-urlrewrite'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrites the request's path by the rules, with the library and in the order of json-server's own rewriter.
 * Unlike that one it does not answer `/__rules`, so that the token check can stand between: see {@link showRules}.
 */
export function rewriter(rules: RewriteRules): RequestHandler {
  const router = Router()
  for (const [from, to] of Object.entries(rules)) router.use(rewrite(from, to))
  return router
}

/** json-server's `GET /__rules` page. Mount it below the token check. */
export function showRules(rules: RewriteRules): RequestHandler {
  return Router().get('/__rules', function showRulesHandler(_request, response) {
    response.json(rules)
  })
}
