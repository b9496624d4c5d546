import { inspect } from 'node:util'
import { pathMatcher } from '../http/path-pattern'
import type { RequestLine } from '../http/request'

/** A request that needs no token, for instance `POST /users`. */
export interface AllowRule {
  readonly method: string
  /** Literal segments, of which the last may be `:id`, for any one segment. */
  readonly path: string
  /**
   * The same, and what the rewrite rules make of it, if that could be such a rule: an application asks by what they lead.
   */
  readonly lines: readonly RequestLine[]
  /** Whether the rule names a request, whose path is still encoded and has no query. GET includes HEAD. */
  readonly matches: (request: RequestLine) => boolean
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

/** Gives what the rewrite rules make of a request, whose target may have a query. */
export type Lead = (request: RequestLine) => { readonly method: string; readonly target: string }

/**
 * Reads what needs no token.
 *
 * @param lead default: no rule leads anything elsewhere
 * @throws TypeError for anything but `all`, or an array of rules: a method and a path of literal segments, the last
 *   of which may be `:id`
 */
export function readAllowed(
  allow: Allow,
  lead: Lead = ({ method, path }) => ({ method, target: path }),
): Allowed {
  if (allow === ALL) return allow
  if (!Array.isArray(allow))
    throw new TypeError(`allow: ${inspect(allow)} must be an array of ${ALLOW_FORM}.`)
  return allow.map((text) => readAllowRule(text, lead))
}

function readAllowRule(text: string, lead: Lead): AllowRule {
  const [, method, path] = RULE.exec(text) ?? []
  if (method === undefined || path === undefined)
    throw new TypeError(`${JSON.stringify(text)} must be ${ALLOW_FORM}.`)
  const named = { method, path }
  const { target, ...led } = lead(named)
  // What is led to a query, or to any resource (`/:id`), is more than the rule says.
  const isAlike = isAllowRule(`${led.method} ${target}`) && target.endsWith('/:id') === path.endsWith('/:id')
  const isElsewhere = led.method !== method || target !== path
  const lines = isAlike && isElsewhere ? [named, { ...led, path: target }] : [named]
  const matchers = lines.map((line) => ({ method: line.method, matches: pathMatcher(line.path) }))
  return {
    ...named,
    lines,
    matches: (asked) =>
      matchers.some((line) => line.method === withoutHead(asked.method) && line.matches(asked.path)),
  }
}

function withoutHead(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

/** The rules; none where all is allowed. */
export function rulesOf(allowed: Allowed): readonly AllowRule[] {
  return allowed === ALL ? [] : allowed
}

/** Whether a request needs no token, because a rule names it. GET includes HEAD. */
export function isAllowed(allowed: Allowed, method: string, path: string): boolean {
  return allowed === ALL || allowed.some((rule) => rule.matches({ method, path }))
}

/** Whether a request needs no token, and its path is that of a rule to the letter: `:id` in the rule would stand for any. */
export function isNamed(allowed: Allowed, method: string, path: string): boolean {
  return (
    allowed === ALL ||
    (!path.endsWith('/:id') &&
      allowed.some(({ lines }) =>
        lines.some((line) => line.method === withoutHead(method) && line.path === path),
      ))
  )
}
