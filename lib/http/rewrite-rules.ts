import { createRequire } from 'node:module'
import { parse } from 'node:querystring'
import rewrite from 'express-urlrewrite'
import type { Current } from '../current'
import { errorMessage } from '../error-code'
import { HttpError } from '../errors'
import { runInLimitedTime } from '../limited-time'
import { guardAdvice, isGuard } from './guard-advice'
import type { HttpRequest, HttpResponse } from './handler'

/** Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrite rules, or a function that returns the current ones: for rules that can change while the server
 * runs.
 */
export type CurrentRules = Current<RewriteRules>

/** The page that shows the rules. */
export const RULES_PATH = '/__rules'

/**
 * What a rule takes off in front of every path, such as `/api` of `{"/api/*": "/$1"}`: the application asks for the
 * resources by such paths.
 *
 * @returns empty where there is no rule of this plain form
 */
export function prefixOf(rules: RewriteRules): string {
  const [from = ''] =
    Object.entries(rules).find(([pattern, to]) => to === '/$1' && PREFIX.test(pattern)) ?? []
  return from.slice(0, -'/*'.length)
}

const PREFIX = /^(?:\/[\w.~-]+)+\/\*$/

/** Changes the URL and the query of a request as the rules say. */
export type Rewrite = (request: HttpRequest, response: HttpResponse) => void

/** The rules of a server that was given none: unlike a file without a rule, it has no page to show them. */
export const NO_RULES: RewriteRules = {}

/** Milliseconds in which all rules must be compared with a request, where one of them may be slow. */
const TIME = 100

/** Whether a request that no rule matches is compared again without its query. */
export type KeepsQuery = (request: HttpRequest) => boolean

/**
 * A rule whose parameters end a segment each, and of which only the last part may hold slashes: comparing it takes no
 * time, whatever the path. Any other is compared in limited time.
 */
const PLAIN = /^(?:\/(?:\\\?|[^/:*()?+\\])*(?::\w+)?)*(?:\/\*)?$/

/** A parameter of a pattern, as express-urlrewrite's copy of path-to-regexp reads it. */
interface Parameter {
  readonly name: string | number
  readonly prefix: string
  readonly optional: boolean
}

/** A rule that can be followed. */
interface CompiledRule {
  readonly from: string
  /** What a path that it matches holds, in this order and in lower case. */
  readonly texts: readonly string[]
  readonly isQuick: boolean
  readonly rewriteUrl: ReturnType<typeof rewrite>
}

/**
 * Compiles rules with the library that json-server's own rewriter uses; as there, they apply one after the
 * other. Where one that is not plainly quick may match, all are compared in limited time.
 *
 * @param keepsQuery default: never, as in json-server
 * @returns a function that throws an HttpError (414) for a target that takes a rule too long
 * @throws TypeError when a rule cannot be used: see {@link ruleProblem}
 */
export function compileRules(rules: RewriteRules, keepsQuery: KeepsQuery = () => false): Rewrite {
  const compiled = Object.entries(rules).map(([from, to]) => compileRule(from, to))
  return (request, response) => {
    const { url, originalUrl } = request
    let slow = ''
    /** Whether it has followed the rules: not where a slow one may match and the time is not limited. */
    const follow = (isLimited: boolean): boolean => {
      for (const { from, texts, isQuick, rewriteUrl } of compiled) {
        if (!isQuick) {
          // It cannot match, and might take long to find that out.
          if (!hasTexts(request.url.toLowerCase(), texts)) continue
          if (!isLimited) return false
          slow = from
        }
        // The library calls its `next` synchronously, so no router is needed to run one after the other.
        rewriteUrl(request, response, () => {})
      }
      return true
    }
    const followAny = (isLimited: boolean): boolean => {
      // It may have been left half way.
      if (request.url !== url) Object.assign(request, { url, originalUrl })
      if (!follow(isLimited)) return false
      const isMatched = request.url !== url || !url.includes('?') || !keepsQuery(request)
      return isMatched || followWithoutQuery(request, () => follow(isLimited))
    }
    if (!followAny(false))
      doInTime(
        () => followAny(true),
        () => takesTooLong(slow),
      )
  }
}

/** @throws TypeError when the rule cannot be used */
function compileRule(from: string, to: string): CompiledRule {
  const problem = ruleProblem(from, to)
  if (problem !== undefined) throw new TypeError(problem)
  const parts = pathToRegexp.parse(from)
  const texts = parts
    .map((part) => (typeof part === 'string' ? part : part.optional ? '' : part.prefix))
    .map((text) => text.toLowerCase())
  return { from, texts, isQuick: PLAIN.test(from), rewriteUrl: rewrite(from, to) }
}

/** Whether a path holds texts in their order. */
function hasTexts(path: string, texts: readonly string[]): boolean {
  let position = 0
  return texts.every((text) => {
    const found = path.indexOf(text, position)
    position = found + text.length
    return found >= 0
  })
}

/** Compares in limited time, and once more where the machine was too busy to do it in that time by the clock. */
function doInTime(compare: () => void, makeError: () => HttpError): void {
  const begin = process.cpuUsage()
  while (runInLimitedTime(compare, TIME) === undefined) {
    const { user, system } = process.cpuUsage(begin)
    if ((user + system) / 1000 > TIME / 2) throw makeError()
  }
}

/**
 * Follows the rules without the query, which is added to where they lead: json-server compares both.
 *
 * @param follow gives false where it has not followed them
 * @returns what it gives
 */
function followWithoutQuery(request: HttpRequest, follow: () => boolean): boolean {
  const { url: sent, originalUrl, query } = request
  const [path = '', ...queries] = sent.split('?')
  request.url = path
  if (!follow()) return false
  if (request.url === path) {
    Object.assign(request, { url: sent, originalUrl })
    return true
  }
  const [, own] = request.url.split('?', 2)
  const url = `${request.url}${own === undefined ? '?' : '&'}${queries.join('?')}`
  // The library parses the query of a rule in this way, and the framework that of a request.
  Object.assign(request, { url, originalUrl: url, query: { ...parse(own ?? ''), ...query } })
  return true
}

function takesTooLong(rule: string): HttpError {
  return new HttpError({
    status: 414,
    message:
      `To compare this path with the rewrite rule "${rule}" takes too long: send a shorter path, or write each ` +
      'parameter of the rule as a whole segment, such as /:name.',
  })
}

interface PathToRegexp {
  /** Adds the parameters to a list. */
  (pattern: string, parameters: Parameter[]): RegExp
  parse(pattern: string): readonly (string | Parameter)[]
}

/** Of the copy that the library uses. */
const pathToRegexp: PathToRegexp = createRequire(require.resolve('express-urlrewrite'))('path-to-regexp')

/** The names of the parameters of a pattern. */
function namesOfParameters(pattern: string): string[] {
  const parameters: Parameter[] = []
  pathToRegexp(pattern, parameters)
  return parameters.map(({ name }) => String(name))
}

/**
 * Why a rule cannot be used. The library would accept some of these rules, and requests would then fail or lead
 * elsewhere.
 *
 * @returns a clause that names the rule, or undefined when it can be used
 */
export function ruleProblem(from: string, to: unknown): string | undefined {
  if (isGuard(to)) return `"${from}": ${guardAdvice(String(to))}`
  // A group or a parameter at the beginning may hold the slash: "/v2(/.*)": "$1".
  if (typeof to !== 'string' || !/^[/$:]/.test(to))
    return `the rule "${from}" must lead to a path, in quotes and with a slash at its beginning`
  try {
    const names = namesOfParameters(from)
    const [, unknown] = [...to.matchAll(/:(\w+)/g)].find(([, name = '']) => !names.includes(name)) ?? []
    return unknown === undefined ? undefined : `the rule "${from}" has no parameter ":${unknown}"`
  } catch (error) {
    return `the rule "${from}" cannot be used: ${errorMessage(error)}`
  }
}
