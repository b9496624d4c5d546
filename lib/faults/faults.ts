import { pathMatcher } from '../auth/path-pattern'
import type { FaultRule } from './fault-rule'
import { readFaultRules } from './read-fault-rules'

/** Gives the first rule that acts on a request; this uses up one of the rule's `times`. */
export type Faults = (method: string, path: string) => FaultRule | undefined

/** Rules, or a function that returns the current ones: for rules that can change while the server runs. */
export type CurrentFaults = readonly FaultRule[] | (() => readonly FaultRule[])

/** Rules by which requests fail; each acts as often as its `times` says. */
export function countedFaults(rules: readonly FaultRule[]): Faults {
  const counted = rules.map((rule) => ({
    rule,
    matches: pathMatcher(rule.path),
    left: rule.times ?? Number.POSITIVE_INFINITY,
  }))
  return (method, path) => {
    const found = counted.find(
      ({ rule, matches, left }) => left > 0 && (rule.method ?? method) === method && matches(path),
    )
    if (found !== undefined) found.left -= 1
    return found?.rule
  }
}

/**
 * The same for rules that can change: after a change, their counts restart.
 *
 * @throws FaultRuleError when one cannot be used
 */
export function currentFaults(source: CurrentFaults): Faults {
  const current = typeof source === 'function' ? source : () => source
  let rules = current()
  let faults = countedFaults(readFaultRules(rules))
  return (method, path) => {
    const now = current()
    if (now !== rules) faults = countedFaults(readFaultRules(now))
    rules = now
    return faults(method, path)
  }
}
