import { Router } from 'express'

/** What a path can have without an encoding (RFC 3986, pchar). */
const PATH_CHARACTERS = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/
/** A client removes these from an address before it sends it. */
const DOTS = /^(?:\.|%2e){1,2}$/i
/** json-server takes the name for a pattern, and these are special there. */
const PATTERN_CHARACTERS = /[()*+?:]/

/**
 * The part of a path under which json-server's router serves a resource, or undefined: it compares the name with the path
 * as it was sent, so that a name with a space, for instance, never matches.
 */
export function resourceSegment(name: string): string | undefined {
  if (!PATH_CHARACTERS.test(name) || DOTS.test(name) || PATTERN_CHARACTERS.test(name)) return undefined
  try {
    // The guard refuses a path that cannot be decoded.
    decodeURIComponent(name)
    const [layer] = Router().use(`/${name}`, () => {}).stack
    return layer?.regexp.test(`/${name}/1`) ? name : undefined
  } catch {
    return undefined
  }
}
