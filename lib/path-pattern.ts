/**
 * Whether a path matches a pattern. They are compared segment by segment, undecoded and with case: `:name` in
 * the pattern is any one segment, and `*` at its end any rest. A regular expression could take long.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const segments = pattern.split('/')
  const sent = path.split('/')
  const hasRest = segments.at(-1) === '*'
  if (hasRest ? sent.length < segments.length : sent.length !== segments.length) return false
  const compared = hasRest ? segments.slice(0, -1) : segments
  return compared.every((segment, index) =>
    segment.startsWith(':') ? sent[index] !== '' : segment === sent[index],
  )
}
