/**
 * A function that tells whether a path matches the pattern. They are compared segment by segment, undecoded
 * and with case: `:name` is any one segment that is not empty, and a final `*` any rest of one segment or
 * more. A regular expression could take long.
 *
 * The pattern is split once, and a path into hardly more segments, so that neither alone makes it slow.
 *
 * @returns a function of a path that is still encoded, and without a query
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const segments = pattern.split('/')
  const hasRest = segments.at(-1) === '*'
  const compared = hasRest ? segments.slice(0, -1) : segments
  return (path) => {
    // One segment more shows that the path is longer.
    const sent = path.split('/', segments.length + 1)
    if (hasRest ? sent.length < segments.length : sent.length !== segments.length) return false
    return compared.every((segment, index) =>
      segment.startsWith(':') ? sent[index] !== '' : segment === sent[index],
    )
  }
}
