import type { FaultRule } from './fault-rules'

/** Rules by which the requests of a sandbox fail; each acts as often as it says. */
export class Faults {
  readonly #rules: { rule: FaultRule; segments: string[]; left: number }[]

  constructor(rules: readonly FaultRule[] = []) {
    this.#rules = rules.map((rule) => ({
      rule,
      segments: rule.path.split('/'),
      left: rule.times ?? Number.POSITIVE_INFINITY,
    }))
  }

  /** The first rule that acts on a request, which counts as one of its times. */
  take(method: string, path: string): FaultRule | undefined {
    const sent = path.split('/')
    const found = this.#rules.find(
      ({ rule, segments, left }) =>
        left > 0 && (rule.method === undefined || rule.method === method) && matches(segments, sent),
    )
    if (found === undefined) return undefined
    found.left -= 1
    return found.rule
  }
}

/** Compares segment by segment: a regular expression in a rule could take long. */
function matches(segments: readonly string[], sent: readonly string[]): boolean {
  const hasRest = segments.at(-1) === '*'
  if (hasRest ? sent.length < segments.length : sent.length !== segments.length) return false
  return segments.every((segment, index) => {
    if (hasRest && index === segments.length - 1) return true
    return segment.startsWith(':') ? sent[index] !== '' : segment === sent[index]
  })
}
