import { parse } from 'node:querystring'
import rewrite from 'express-urlrewrite'
import { errorMessage } from '../error-code'
import type { HttpRequest, HttpResponse } from './handler'
import { RulePattern } from './rule-pattern'

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
 * other. A rule that a stranger's path could make slow is compiled to an equivalent: see {@link RulePattern}.
 *
 * @throws TypeError when a rule cannot be used: see {@link ruleProblem}
 */
export function compileRules(rules: RewriteRules): Rewrite {
  const rewriters = Object.entries(rules).map(([from, to]) => {
    const problem = ruleProblem(from, to)
    if (problem !== undefined) throw new TypeError(problem)
    return QUICK.test(from) ? rewrite(from, to) : rewriteQuickly(from, to)
  })
  return (request, response) => {
    // The library calls its `next` synchronously, so no router is needed to run one after the other.
    for (const rewriteUrl of rewriters) rewriteUrl(request, response, () => {})
  }
}

/** Rewrites as the library does, in a time in proportion to the URL, whatever the rule. */
function rewriteQuickly(from: string, to: string) {
  const pattern = new RulePattern(from)
  return (request: HttpRequest): void => {
    const values = pattern.match(request.url)
    if (values === undefined) return
    // `$0` is the whole URL, `$1` the first parameter.
    const found = [request.url, ...values]
    const url = to.replace(/\$(\d+)|:(\w+)/g, (_, place, name) =>
      // The library writes `undefined` for a parameter that is left out.
      String(found[place ?? pattern.names.lastIndexOf(name) + 1]),
    )
    const [, query] = /^[^?]+\?([^#]*)/.exec(url) ?? []
    Object.assign(request, { url, originalUrl: url, ...(query !== undefined && { query: parse(query) }) })
  }
}

/**
 * Why a rule cannot be used. The library would accept some of these rules, and requests would then fail or
 * lead elsewhere.
 *
 * @returns a clause that names the rule, or undefined when it can be used
 */
export function ruleProblem(from: string, to: unknown): string | undefined {
  const guard = typeof to === 'number' ? guardAdvice(String(to)) : undefined
  if (guard !== undefined) return `"${from}": ${guard}`
  if (typeof to !== 'string' || to === '') return `the rule "${from}" must lead to a path, in quotes`
  try {
    const { names } = new RulePattern(from)
    const [, unknown] = [...to.matchAll(/:(\w+)/g)].find(([, name = '']) => !names.includes(name)) ?? []
    return unknown === undefined ? undefined : `the rule "${from}" has no parameter ":${unknown}"`
  } catch (error) {
    return `the rule "${from}" could block the server: ${errorMessage(error)}`
  }
}

/**
 * Rules of whole segments, of which the last may be wildcards. The library's own regular expression takes at
 * most 3 ms for any path of 16 kB, and for ordinary ones a twentieth of the time that an equivalent takes.
 */
const QUICK = /^(?:\/(?:[\w.~-]+|:\w+))*(?:\/\*){0,6}$/

/**
 * What to do about a guard, which json-server-auth takes in a rule or an address, in the manner of `chmod`: a
 * clause; undefined for any other text.
 */
export function guardAdvice(text: string): string | undefined {
  return /^[046]{3}$/.test(text)
    ? `${text} is a guard of json-server-auth: docs/json-server.md says what to write instead`
    : undefined
}
