import { pathMatcher } from './path-pattern'

/** A request that needs no token, for instance `POST /users`. */
export interface AllowRule {
  readonly method: string
  /** Literal segments, of which the last may be `:id`, for any one segment. */
  readonly path: string
  /** Whether a path, still encoded and without a query, is one that the rule names. */
  readonly matches: (path: string) => boolean
}

/**
 * Names of resources, except `.` and `..`; a pattern anywhere else could match more than its author meant.
 */
const RULE = /^(GET|POST|PUT|PATCH|DELETE) ((?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+(?:\/:id)?)$/

/**
 * Reads a rule as `--allow` takes it.
 *
 * @throws TypeError for anything but a method and a path of literal segments, the last of which may be `:id`
 */
export function readAllowRule(text: string): AllowRule {
  const [, method, path] = RULE.exec(text) ?? []
  if (method === undefined || path === undefined)
    throw new TypeError(
      `${JSON.stringify(text)} must be a method and a path, for instance "POST /users" ` +
        'or "GET /posts/:id": no other pattern than :id at the end.',
    )
  return { method, path, matches: pathMatcher(path) }
}

/** Whether one of the rules names a request. GET includes HEAD. */
export function isAllowed(rules: readonly AllowRule[], method: string, path: string): boolean {
  const asked = method === 'HEAD' ? 'GET' : method
  return rules.some((rule) => rule.method === asked && rule.matches(path))
}
