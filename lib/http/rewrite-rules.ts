import type { Request, Response } from 'express'
import rewrite from 'express-urlrewrite'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/** Rewrite rules, or a function that returns the current ones: for rules that can change while the server runs. */
export type CurrentRules = RewriteRules | (() => RewriteRules)

/** The rules as they are now. */
export function currentRules(rules: CurrentRules): RewriteRules {
  return typeof rules === 'function' ? rules() : rules
}

/** Changes the address and the query of a request as the rules say. */
export type Rewrite = (request: Request, response: Response) => void

/**
 * Compiles rules with the library that json-server's own rewriter uses, to be applied one after the other, as there.
 *
 * @throws TypeError when a rule is no path pattern, or leads to a path with a parameter that it does not have
 */
export function compileRules(rules: RewriteRules): Rewrite {
  const rewriters = Object.entries(rules).map(([from, to]) => {
    const unknown = namesIn(to).find((name) => !namesIn(from).includes(name))
    if (unknown !== undefined) throw new TypeError(`the rule "${from}" has no parameter ":${unknown}"`)
    return rewrite(from, to)
  })
  return (request, response) => {
    // Each calls its `next` synchronously, so no router is needed to run one after the other.
    for (const rewriteUrl of rewriters) rewriteUrl(request, response, () => {})
  }
}

/** The parameters that express-urlrewrite fills in. One that the rule does not have would fail every request for it. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}
