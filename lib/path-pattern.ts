/**
 * Whether a path matches a pattern. They are compared segment by segment, undecoded and with case: `:name` is
 * any one segment that is not empty, and a final `*` any rest of one segment or more. A regular expression
 * could take long.
 *
 * The pattern alone bounds the work, however long the path is.
 *
 * @param path still encoded, without a query
 */
export function matchesPath(pattern: string, path: string): boolean {
  const segments = pattern.split('/')
  // One segment more shows that the path is longer.
  const sent = path.split('/', segments.length + 1)
  const hasRest = segments.at(-1) === '*'
  if (hasRest ? sent.length < segments.length : sent.length !== segments.length) return false
  const compared = hasRest ? segments.slice(0, -1) : segments
  return compared.every((segment, index) =>
    segment.startsWith(':') ? sent[index] !== '' : segment === sent[index],
  )
}
