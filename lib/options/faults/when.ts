import type { IncomingHttpHeaders } from 'node:http'
import { BODY_LIMITS } from '../../http/body-limits'
import { isObject, isRecord } from '../../is-record'

type Parts = Readonly<Record<string, unknown>>

/** What a request must say, so that a rule is for it. */
export interface When {
  readonly query?: Parts
  /** The case of their names is no matter. */
  readonly headers?: Parts
  /** Looked at after the token check, when the body is parsed. */
  readonly body?: unknown
}

const PARTS = ['query', 'headers', 'body'] satisfies readonly (keyof When)[]

/** What a {@link When} must be, in an error. */
export const WHEN_FORM =
  'an object with query, headers or body, for instance {"query": {"page": 2}}, not deeper than ' +
  `${BODY_LIMITS.depth} levels`

/** Whether a value is a {@link When}. */
export function isWhen(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.keys(value).every((name) => PARTS.some((part) => part === name)) &&
    [value.query, value.headers].every((part) => part === undefined || isRecord(part)) &&
    isWithin(value, BODY_LIMITS.depth)
  )
}

/** Whether a value is nested no deeper than so many levels. */
function isWithin(value: unknown, levels: number): boolean {
  return !isObject(value) || (levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1)))
}

/** Whether all that a rule says of the query and the headers is in a request. */
export function agreesWithout(
  { query = {}, headers = {} }: When,
  request: { query: unknown; headers: IncomingHttpHeaders },
): boolean {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return agrees(query, request.query) && agrees(Object.fromEntries(named), request.headers)
}

/**
 * Whether all that is expected is in what a request has sent: texts, numbers and booleans are compared as texts, objects
 * part by part, a list with a list, or with a name that was given once, and null with what is not there.
 */
export function agrees(expected: unknown, sent: unknown): boolean {
  if (expected === null) return (sent ?? undefined) === undefined
  if (Array.isArray(expected)) {
    const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    return all.length === expected.length && expected.every((one, index) => agrees(one, all[index]))
  }
  if (isRecord(expected)) {
    const partOf = (name: string) => (isRecord(sent) && Object.hasOwn(sent, name) ? sent[name] : undefined)
    return Object.entries(expected).every(([name, part]) => agrees(part, partOf(name)))
  }
  return (sent ?? undefined) !== undefined && !isObject(sent) && String(sent) === String(expected)
}
