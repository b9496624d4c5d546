/** What path-to-regexp 1.9 makes of `:a*` and `:a+`: segments, which take any text together. */
const SEGMENTS = /\(\?:(\[\^\\\/\]|\\[dw])\+\??\)\(\?:\\\/\(\?:\1\+\??\)\)\*/g

/** What it makes of a parameter after a character that is no slash: neither that character nor a slash. */
const AFTER_CHARACTER = /\(\?:(\\?.)\|\(\?:\(\?!\1\)\[\^\\\/\]\)\+\?\)/g

/** What it lets follow every pattern. */
const END = '(?:\\/(?=$))?$'

/**
 * A group that is repeated can take the same text in two ways, and each character then doubles the steps. This does
 * not read references, assertions and named groups.
 */
const UNCERTAIN = /\)(?:[*+]|\{)|\\[1-9bBk]|\(\?[^:]/

/** One character or a class of them, repeated or left out. A limit in braces counts as none. */
const REPEATED = /(\\.|\[(?:\\.|[^\]\\])+\]|[^\\[\]()|])(?:[*+?]|\{[\d,]+\})\??/g

/** Groups that end, and others that begin. */
const BETWEEN = /^(?:\)\??|\((?:\?:)?)*/

/** A literal character that has to be there. */
const LITERAL = /^(?:\\(\W)|([^\\.[\]()|$]))(?![*+?{])/

/**
 * How the steps of a rule's regular expression grow with the length of a target, as the largest power of it.
 *
 * The end of a repeated piece is free where what follows can be a part of it, as after `*`: a comparison then tries
 * every end. Each free end multiplies the steps by the length, and so does the last piece, which is compared again
 * for each end before it. What is followed by a character that it cannot take, such as a segment, has one end.
 *
 * @param source the expression that express-urlrewrite's copy of path-to-regexp has made of a pattern
 * @returns 0 where nothing is compared twice; infinity where that is not certain
 */
export function growthOf(source: string): number {
  const read = source.replace(END, '\\/').replace(SEGMENTS, '.+').replace(AFTER_CHARACTER, '[^$1\\/]+')
  if (UNCERTAIN.test(read)) return Number.POSITIVE_INFINITY
  let free = 0
  let isLastFree = true
  for (const { 0: text, 1: piece = '', index } of read.matchAll(REPEATED)) {
    const [, escaped, next = escaped] =
      LITERAL.exec(read.slice(index + text.length).replace(BETWEEN, '')) ?? []
    isLastFree = next === undefined || new RegExp(`^${piece}$`, 'i').test(next)
    if (isLastFree) free += 1
  }
  return free === 0 || isLastFree ? free : free + 1
}
