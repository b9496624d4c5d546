import { createRequire } from 'node:module'
import rewrite from 'express-urlrewrite'
import type { Current } from '../current'
import { errorMessage } from '../error-code'
import { HttpError } from '../errors'
import { guardAdvice, isGuard } from './guard-advice'
import type { HttpRequest, HttpResponse } from './handler'
import { growthOf } from './rule-growth'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrite rules, or a function that returns the current ones: for rules that can change while the server
 * runs.
 */
export type CurrentRules = Current<RewriteRules>

/** The page that shows the rules. */
export const RULES_PATH = '/__rules'

/** Changes the URL and the query of a request as the rules say. */
export type Rewrite = (request: HttpRequest, response: HttpResponse) => void

/** The rules of a server that was given none: unlike a file without a rule, it has no page to show them. */
export const NO_RULES: RewriteRules = {}

/** How the steps of a rule may grow with a target: with its square, which takes up to 0.1 s for 4 kB. */
const MOST_GROWTH = 2

/** Characters of a target where a rule grows so: Node's own limit of 16 kB would take up to 2 s. */
const LONGEST = 4096

/**
 * Compiles rules with the library that json-server's own rewriter uses; as there, they apply one after the
 * other. A target over 4 kB is refused where a rule takes long for it.
 *
 * @returns a function that throws an HttpError (414) for such a target
 * @throws TypeError when a rule cannot be used: see {@link ruleProblem}
 */
export function compileRules(rules: RewriteRules): Rewrite {
  const rewriters = Object.entries(rules).map(([from, to]) => {
    const problem = ruleProblem(from, to)
    if (problem !== undefined) throw new TypeError(problem)
    const isSlow = growthOf(readPattern(from).expression.source) === MOST_GROWTH
    return { rewriteUrl: rewrite(from, to), longest: isSlow ? LONGEST : Number.POSITIVE_INFINITY }
  })
  return (request, response) => {
    for (const { rewriteUrl, longest } of rewriters) {
      if (request.url.length > longest) throw new HttpError({ status: 414, message: TOO_LONG })
      // The library calls its `next` synchronously, so no router is needed to run one after the other.
      rewriteUrl(request, response, () => {})
    }
  }
}

const TOO_LONG =
  'With these rewrite rules, a path and its query may have 4,096 characters: send a shorter one, or use at ' +
  'most one * or (.*) in each rule.'

/** A parameter of a pattern. A wildcard or a group has a number in the place of a name, from 0. */
interface Parameter {
  name: string | number
}

/** Of the copy that the library uses; it adds the parameters to a list. */
const toExpression: (pattern: string, parameters: Parameter[]) => RegExp = createRequire(
  require.resolve('express-urlrewrite'),
)('path-to-regexp')

/** The regular expression that the library makes of a pattern, and the names of its parameters. */
function readPattern(pattern: string): { expression: RegExp; names: string[] } {
  const parameters: Parameter[] = []
  const expression = toExpression(pattern, parameters)
  return { expression, names: parameters.map(({ name }) => String(name)) }
}

/**
 * Why a rule cannot be used. The library would accept some of these rules, and requests would then fail, lead
 * elsewhere, or block the server: rules act before the token check, and the library's regular expression for
 * `/v1:rest*` needs minutes for a path of 66 bytes.
 *
 * @returns a clause that names the rule, or undefined when it can be used
 */
export function ruleProblem(from: string, to: unknown): string | undefined {
  if (isGuard(to)) return `"${from}": ${guardAdvice(String(to))}`
  // A group or a parameter at the beginning may hold the slash: "/v2(/.*)": "$1".
  if (typeof to !== 'string' || !/^[/$:]/.test(to))
    return `the rule "${from}" must lead to a path, in quotes and with a slash at its beginning`
  try {
    const { expression, names } = readPattern(from)
    if (growthOf(expression.source) > MOST_GROWTH)
      return (
        `some paths could block the server with the rule "${from}": write each parameter as a whole segment, ` +
        'such as /:name, and no more than two * or (.*)'
      )
    const [, unknown] = [...to.matchAll(/:(\w+)/g)].find(([, name = '']) => !names.includes(name)) ?? []
    return unknown === undefined ? undefined : `the rule "${from}" has no parameter ":${unknown}"`
  } catch (error) {
    return `the rule "${from}" cannot be used: ${errorMessage(error)}`
  }
}

/**
 * Which rule would match a target without its query: the library compares the query, too.
 *
 * @returns a clause that says what would match, or undefined where no rule would
 */
export function ruleWithoutQuery(rules: RewriteRules, target: string): string | undefined {
  const [path = '', query] = target.split('?', 2)
  if (query === undefined) return undefined
  for (const [from, to] of Object.entries(rules)) {
    const { expression, names } = readPattern(from)
    if (expression.test(target) || !expression.test(path)) continue
    const said = `the rule "${from}" matches only without a query`
    // This group takes a query, or nothing, and no longer name.
    const form = [`${from}(|\\?.*)`, `${to}$${names.length + 1}`].map((text) => JSON.stringify(text))
    return to.includes('?') ? said : `${said}: ${form.join(': ')} would match`
  }
  return undefined
}
