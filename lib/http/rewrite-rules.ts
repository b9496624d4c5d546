import { createRequire } from 'node:module'
import { parse } from 'node:querystring'
import rewrite from 'express-urlrewrite'
import type { Current } from '../current'
import { errorMessage } from '../error-code'
import { HttpError } from '../errors'
import { runInProcessorTime } from '../processor-time'
import { guardAdvice, isGuard } from './guard-advice'
import type { HttpRequest, HttpResponse } from './handler'
import { overriddenMethod, setMethod } from './overridden-method'
import { isRead, type RequestLine } from './request'

/**
 * Rewrite rules as in json-server's `routes.json`: from a path pattern to the path that the router knows. Either may begin
 * with a method: `"POST /tasks/search": "GET /tasks"`.
 */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Rewrite rules, or a function that returns the current ones: for rules that can change while the server
 * runs.
 */
export type CurrentRules = Current<RewriteRules>

/** What the rules make of the line of a request. */
export type RewrittenLine = (request: HttpRequest, response: HttpResponse) => RequestLine

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

/** Changes the URL, the query and the method of a request as the rules say. */
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
  /** What it says of methods, if it says anything. */
  readonly methods: MethodRule | undefined
  /** What a path that it matches holds, in this order and in lower case. */
  readonly texts: readonly string[]
  readonly isQuick: boolean
  readonly rewriteUrl: ReturnType<typeof rewrite>
}

/** A rule for one method, or one that leads to another. */
interface MethodRule {
  /** The only one for which it is: GET includes HEAD. Default: any. */
  readonly from: string | undefined
  /** Default: that of the request. */
  readonly to: string | undefined
  readonly matches: (url: string) => boolean
}

/** The methods that a rule can name. */
export const RULE_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A pattern or a target, and the method in front of it. */
interface RuleSide {
  readonly method: string | undefined
  readonly path: string
}

/** Divides what a rule says into its method and its path. */
export function ruleSide(text: string): RuleSide {
  const [, method, path] = /^([A-Za-z]+) +(.*)$/s.exec(text) ?? []
  return method === undefined || path === undefined ? { method: undefined, path: text } : { method, path }
}

/** The queries of the requests that a rule with a method has led to a read, as they were sent. */
const queriesOfReads = new WeakMap<object, string>()

/** The query that was sent with a request that a rule with a method has led to a read; undefined for any other. */
export function queryOfRead(request: HttpRequest): string | undefined {
  return queriesOfReads.get(request)
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
  const hasMethods = compiled.some(({ methods }) => methods !== undefined)
  return (request, response) => {
    const { url, originalUrl } = request
    const sentMethod = hasMethods ? overriddenMethod(request) : request.method
    /** What the rules have made of it; undefined where none has named another. */
    let newMethod: string | undefined
    let slow = ''
    /** Whether it has followed the rules: not where a slow one may match and the time is not limited. */
    const follow = (isLimited: boolean): boolean => {
      newMethod = undefined
      for (const { from, texts, isQuick, rewriteUrl, methods } of compiled) {
        const method: string = newMethod ?? sentMethod
        if (methods?.from !== undefined && methods.from !== (method === 'HEAD' ? 'GET' : method)) continue
        if (!isQuick) {
          // It cannot match, and might take long to find that out.
          if (!hasTexts(request.url.toLowerCase(), texts)) continue
          if (!isLimited) return false
          slow = from
        }
        // The library calls its `next` synchronously, so no router is needed to run one after the other.
        const apply = () => rewriteUrl(request, response, () => {})
        if (methods === undefined) apply()
        else if (followWithMethod(request, methods, apply))
          newMethod = methods.to === 'GET' && method === 'HEAD' ? method : (methods.to ?? newMethod)
      }
      return true
    }
    const followAny = (isLimited: boolean): boolean => {
      // It may have been left half way.
      if (request.url !== url) Object.assign(request, { url, originalUrl })
      if (!follow(isLimited)) return false
      const isMatched =
        newMethod !== undefined || request.url !== url || !url.includes('?') || !keepsQuery(request)
      return isMatched || followWithoutQuery(request, () => follow(isLimited))
    }
    if (!followAny(false) && runInProcessorTime(() => followAny(true), TIME) === undefined)
      throw takesTooLong(slow)
    if (newMethod === undefined) return
    if (isRead({ method: newMethod })) queriesOfReads.set(request, /\?(.*)/s.exec(url)?.[1] ?? '')
    setMethod(request, newMethod)
  }
}

/**
 * Follows a rule with a method. json-server has none, so that a query never keeps it from matching.
 *
 * @returns whether it has matched
 */
function followWithMethod(request: HttpRequest, { matches }: MethodRule, apply: () => void): boolean {
  const [path = ''] = request.url.split('?')
  if (matches(request.url)) apply()
  else if (matches(path))
    return followWithoutQuery(request, () => {
      apply()
      return true
    })
  else return false
  return true
}

/** @throws TypeError when the rule cannot be used */
function compileRule(from: string, to: string): CompiledRule {
  const problem = ruleProblem(from, to)
  if (problem !== undefined) throw new TypeError(problem)
  const { method, path: pattern } = ruleSide(from)
  const { method: newMethod, path: target } = ruleSide(to)
  const regexp = pathToRegexp(pattern, [])
  const methods =
    method === undefined && newMethod === undefined
      ? undefined
      : { from: method, to: newMethod, matches: (url: string) => regexp.test(url) }
  return {
    from,
    methods,
    texts: textsOf(pattern),
    isQuick: PLAIN.test(pattern),
    rewriteUrl: rewrite(pattern, target),
  }
}

/** What a path that a pattern matches holds, in this order and in lower case. */
function textsOf(pattern: string): string[] {
  const parts = pathToRegexp.parse(pattern)
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.optional ? '' : part.prefix))
  const last = parts.at(-1)
  // The expression needs no slash at the end.
  if (typeof last === 'string') texts.splice(-1, 1, last.replace(/\/$/, ''))
  return texts.map((text) => text.toLowerCase())
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
  const pattern = ruleSide(from)
  const target = ruleSide(String(to))
  // A group or a parameter at the beginning may hold the slash: "/v2(/.*)": "$1".
  if (typeof to !== 'string' || !/^[/$:]/.test(target.path))
    return `the rule "${from}" must lead to a path, in quotes and with a slash at its beginning`
  for (const { method } of [pattern, target])
    if (method !== undefined && !RULE_METHODS.includes(method))
      return `the rule "${from}" must name no method, or one of ${RULE_METHODS.join(', ')} in capitals, and not "${method}"`
  if (mayBeRead(pattern) && !mayBeRead(target))
    return (
      `the rule "${from}" would make a ${target.method} of a GET, and whoever follows a link must change nothing: ` +
      `write "POST ${pattern.path}"`
    )
  try {
    const names = namesOfParameters(pattern.path)
    const [, unknown] =
      [...target.path.matchAll(/:(\w+)/g)].find(([, name = '']) => !names.includes(name)) ?? []
    return unknown === undefined ? undefined : `the rule "${from}" has no parameter ":${unknown}"`
  } catch (error) {
    return `the rule "${from}" cannot be used: ${errorMessage(error)}`
  }
}

/** Whether a GET may come to a side of a rule, or from it. */
function mayBeRead({ method }: RuleSide): boolean {
  return method === undefined || method === 'GET'
}
