import type { FaultRule } from './fault-rules'

/** The first rule that acts on a request, which counts as one of its times. */
export type Faults = (method: string, path: string) => FaultRule | undefined

/** Rules by which the requests of a sandbox fail; each acts as often as it says. */
export function countedFaults(rules: readonly FaultRule[]): Faults {
  const counted = rules.map((rule) => ({
    rule,
    segments: rule.path.split('/'),
    left: rule.times ?? Number.POSITIVE_INFINITY,
  }))
  return (method, path) => {
    // Once, however many rules there are.
    const sent = path.split('/')
    const found = counted.find(
      ({ rule, segments, left }) => left > 0 && (rule.method ?? method) === method && matches(segments, sent),
    )
    if (found !== undefined) found.left -= 1
    return found?.rule
  }
}

/** Compares segment by segment: a regular expression in a rule could take long. */
function matches(segments: readonly string[], sent: readonly string[]): boolean {
  const hasRest = segments.at(-1) === '*'
  if (hasRest ? sent.length < segments.length : sent.length !== segments.length) return false
  const compared = hasRest ? segments.slice(0, -1) : segments
  return compared.every((segment, index) =>
    segment.startsWith(':') ? sent[index] !== '' : segment === sent[index],
  )
}
