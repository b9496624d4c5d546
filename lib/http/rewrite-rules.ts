import rewrite from 'express-urlrewrite'
import type { HttpRequest, HttpResponse } from './handler'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrite rules, or a function that returns the current ones: for rules that can change while the server
 * runs.
 */
export type CurrentRules = RewriteRules | (() => RewriteRules)

/** The rules as they are now. */
export function currentRules(rules: CurrentRules): RewriteRules {
  return typeof rules === 'function' ? rules() : rules
}

/** Gives a value made from the current rules: at first use, and again when the rules have changed. */
export function madeFromRules<Made extends object>(
  source: CurrentRules,
  make: (rules: RewriteRules) => Made,
): () => Made {
  let rules: RewriteRules
  let made: Made | undefined
  return () => {
    const current = currentRules(source)
    if (made === undefined || current !== rules) made = make(current)
    rules = current
    return made
  }
}

/** The page that shows the rules. */
export const RULES_PATH = '/__rules'

/** Changes the URL and the query of a request as the rules say. */
export type Rewrite = (request: HttpRequest, response: HttpResponse) => void

/** The rules of a server that was given none: unlike a file without a rule, it has no page to show them. */
export const NO_RULES: RewriteRules = {}

/**
 * Compiles rules with the library that json-server's own rewriter uses; as there, they apply one after the
 * other.
 *
 * @throws TypeError when a rule cannot be used: see {@link ruleProblem}
 */
export function compileRules(rules: RewriteRules): Rewrite {
  const rewriters = Object.entries(rules).map(([from, to]) => {
    const problem = ruleProblem(from, to)
    if (problem !== undefined) throw new TypeError(problem)
    return rewrite(from, to)
  })
  return (request, response) => {
    // Each calls its `next` synchronously, so no router is needed to run one after the other.
    for (const rewriteUrl of rewriters) rewriteUrl(request, response, () => {})
  }
}

/**
 * Why a rule cannot be used. The library would accept some of these rules, and requests would then fail or
 * lead elsewhere.
 *
 * @returns a clause that names the rule, or undefined when it can be used
 */
export function ruleProblem(from: string, to: unknown): string | undefined {
  if (typeof to === 'number' && GUARD.test(String(to)))
    return `"${from}": ${to} is a guard of json-server-auth: docs/json-server.md says what to write instead`
  if (typeof to !== 'string' || to === '') return `the rule "${from}" must lead to a path, in quotes`
  const unknown = namesIn(to).find((name) => !namesIn(from).includes(name))
  if (unknown !== undefined) return `the rule "${from}" has no parameter ":${unknown}"`
  if (MAY_TAKE_LONG.test(from))
    return `the rule "${from}" could block the server: use at most one *, no group, a sign between parameters`
  return undefined
}

/**
 * A group, two parts that can match more than a segment, or parameters with nothing between them. Anybody
 * can send a path that takes seconds to compare with such a pattern, without a token.
 */
const MAY_TAKE_LONG = /\(|[*+].*[*+]|:\w+\??:/

/** What json-server-auth takes in the file of rules, in the manner of `chmod`. */
const GUARD = /^[046]{3}$/

/** The parameters that express-urlrewrite fills in. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}
