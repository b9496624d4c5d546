/** A parameter of a pattern, as express-urlrewrite's copy of path-to-regexp reads it. */
export interface Parameter {
  /** A wildcard or a group has a number in the place of a name, from 0. */
  readonly name: string | number
  /** The slash or dot in front of it, which belongs to it. */
  readonly prefix: string
  readonly optional: boolean
  readonly repeat: boolean
  /** The regular expression of what it takes. */
  readonly pattern: string
}

/** The parts of a pattern in their order: texts, and parameters. */
export type Parts = readonly (string | Parameter)[]

/** What path-to-regexp lets a parameter take: all up to the next slash, or up to the next dot. */
const SEGMENT = '[^\\/]+?'
const EXTENSION = '[^\\.]+?'

/** The same after another text: not that text again. A group of the user's cannot hold this. */
const UP_TO_TEXT = '|(?:(?!'

/** A wildcard, or the group `(.*)`. */
const REST = '.*'

/** In a group, such as `/:id(\\d+)`. */
const DIGITS = '\\d+'

/** Each can double the time: an optional parameter, one within a segment, a wildcard before the last. */
const MOST_DOUBLINGS = 5

/**
 * Whether a pattern is plainly quick for every path of Node's 16 kB: then it takes 1 ms at most. That is so where
 * there is one place at which a parameter can begin, or it cannot take the text in front of it, so that no part of a
 * path is compared with it twice. Only the forms that people write are known; whether others are slow is left open.
 */
export function isPlainlyQuick(pattern: Parts): boolean {
  const { parts, left } = withoutLastWildcards(pattern)
  let doublings = left
  let isPlaceKnown = true
  let mayHoldSlashes = false
  for (const [index, part] of parts.entries()) {
    const text = typeof part === 'string' ? part : part.prefix
    if (text.includes('/') && !mayHoldSlashes) isPlaceKnown = true
    if (typeof part === 'string') continue
    // A wildcard at the end takes whatever there is.
    if (part.pattern === REST && !part.repeat && index === parts.length - 1) break
    const isAfterText = text !== '' || typeof parts[index - 1] === 'string'
    const stopsAtText =
      part.pattern === SEGMENT || part.pattern === EXTENSION || part.pattern.includes(UP_TO_TEXT)
    const isKnown = stopsAtText || part.pattern === REST || part.pattern === DIGITS
    if (!isKnown || (part.repeat && !(part.prefix === '/' && part.pattern === SEGMENT))) return false
    if (!isPlaceKnown && !(stopsAtText && isAfterText && !part.repeat)) return false
    if (part.optional) doublings += 1
    if (part.prefix !== '/') doublings += 1
    mayHoldSlashes ||= part.repeat || part.pattern === REST || part.pattern === EXTENSION
    isPlaceKnown = false
  }
  return doublings <= MOST_DOUBLINGS
}

/** Wildcards between slashes at the end are as one: each takes a segment, and the first of them the rest. */
function withoutLastWildcards(pattern: Parts): { parts: Parts; left: number } {
  const end = pattern.findLastIndex((part) => !isWildcard(part)) + 2
  const parts = pattern.slice(0, end)
  return { parts, left: pattern.length - parts.length }
}

function isWildcard(part: string | Parameter): boolean {
  return (
    typeof part !== 'string' && part.prefix === '/' && part.pattern === REST && !part.optional && !part.repeat
  )
}
