import { inspect } from 'node:util'
import { pathMatcher } from '../http/path-pattern'
import type { RequestLine } from '../http/request'

/** A request that needs no token, for instance `POST /users`. */
export interface AllowRule {
  readonly method: string
  /** Literal segments, of which the last may be `:id`, for any one segment. */
  readonly path: string
  /** The same, and where the rewrite rules lead it, if that is such a path: an application asks by what they lead. */
  readonly paths: readonly string[]
  /** Whether a path, still encoded and without a query, is one that the rule names. */
  readonly matches: (path: string) => boolean
}

/**
 * Names of resources, except `.` and `..`; a pattern anywhere else could match more than its author meant.
 */
const RULE = /^(GET|POST|PUT|PATCH|DELETE) ((?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+(?:\/:id)?)$/

/** What a rule must be, in an error. */
export const ALLOW_FORM =
  'a method and a path, for instance "POST /users" or "GET /posts/:id": ' +
  'no other pattern than :id at the end; or all, by itself: --allow all, or "allow": "all"'

/** Whether a text is a rule as `--allow` takes it. */
export function isAllowRule(text: string): boolean {
  return RULE.test(text)
}

/** The word that stands for every request. */
export const ALL = 'all'

/** What needs no token: the requests that a rule names, or all. */
export type Allowed = readonly AllowRule[] | typeof ALL

/** What needs no token, as `--allow` takes it: a list of requests, or the one word `all`. */
export type Allow = readonly string[] | typeof ALL

/** Gives where the rewrite rules lead a request. */
export type Lead = (request: RequestLine) => string

/**
 * Reads what needs no token.
 *
 * @param lead default: no rule leads anything elsewhere
 * @throws TypeError for anything but `all`, or an array of rules: a method and a path of literal segments, the last
 *   of which may be `:id`
 */
export function readAllowed(allow: Allow, lead: Lead = ({ path }) => path): Allowed {
  if (allow === ALL) return allow
  if (!Array.isArray(allow))
    throw new TypeError(`allow: ${inspect(allow)} must be an array of ${ALLOW_FORM}.`)
  return allow.map((text) => readAllowRule(text, lead))
}

function readAllowRule(text: string, lead: Lead): AllowRule {
  const [, method, path] = RULE.exec(text) ?? []
  if (method === undefined || path === undefined)
    throw new TypeError(`${JSON.stringify(text)} must be ${ALLOW_FORM}.`)
  const led = lead({ method, path })
  // What is led to a query, or to any resource (`/:id`), is more than the rule says.
  const isAlike = isAllowRule(`${method} ${led}`) && led.endsWith('/:id') === path.endsWith('/:id')
  const paths = isAlike && led !== path ? [path, led] : [path]
  const matchers = paths.map(pathMatcher)
  return { method, path, paths, matches: (asked) => matchers.some((matches) => matches(asked)) }
}

/** The rules; none where all is allowed. */
export function rulesOf(allowed: Allowed): readonly AllowRule[] {
  return allowed === ALL ? [] : allowed
}

/** Whether a request needs no token, because a rule names it. GET includes HEAD. */
export function isAllowed(allowed: Allowed, method: string, path: string): boolean {
  return allowed === ALL || rulesFor(allowed, method).some((rule) => rule.matches(path))
}

/** The same, by a rule without `:id`. */
export function isNamed(allowed: Allowed, method: string, path: string): boolean {
  return (
    allowed === ALL ||
    rulesFor(allowed, method).some(({ paths }) => paths.includes(path) && !path.endsWith('/:id'))
  )
}

function rulesFor(rules: readonly AllowRule[], method: string): readonly AllowRule[] {
  const asked = method === 'HEAD' ? 'GET' : method
  return rules.filter((rule) => rule.method === asked)
}
