import { isObject } from '../is-record'

/** The empty objects that Express's parsers leave as the body of a request whose content type they ignore. */
const leftByParsers = new WeakSet<object>()

/**
 * Notes that the parsers have read nothing of a request that has a body.
 *
 * @param body the empty object that they have left in its place
 */
export function noteUnreadBody(body: object): void {
  leftByParsers.add(body)
}

/** Whether a body is still what the parsers have left: a middleware has put no other in its place. */
export function isUnreadBody(body: unknown): boolean {
  return isObject(body) && leftByParsers.has(body)
}
