import { pathMatcher } from '../../auth/path-pattern'
import type { FaultRule } from './fault-rule'
import { readFaultRules } from './read-fault-rules'

/** Rules, or a function that returns the current ones: for rules that can change while the server runs. */
export type CurrentFaults = readonly FaultRule[] | (() => readonly FaultRule[])

/** A rule, and on how many requests it has acted. */
export interface ActedRule extends FaultRule {
  readonly acted: number
}

/** Rules by which requests fail; each acts as often as its `times` says. */
export class Faults {
  readonly #counted: { rule: FaultRule; matches: (path: string) => boolean; acted: number }[]

  constructor(rules: readonly FaultRule[]) {
    this.#counted = rules.map((rule) => ({ rule, matches: pathMatcher(rule.path), acted: 0 }))
  }

  /**
   * Gives the first rule that acts on a request, and counts it.
   *
   * @param paths the path as it was sent, and as the rewrite rules make it
   */
  find(method: string, paths: readonly string[]): FaultRule | undefined {
    const found = this.#counted.find(
      ({ rule, matches, acted }) =>
        acted < (rule.times ?? Number.POSITIVE_INFINITY) &&
        (rule.method ?? method) === method &&
        paths.some(matches),
    )
    if (found !== undefined) found.acted += 1
    return found?.rule
  }

  list(): ActedRule[] {
    return this.#counted.map(({ rule, acted }) => ({ ...rule, acted }))
  }
}

/**
 * A function that gives the rules as they are now: after a change, their counts restart.
 *
 * @throws FaultRuleError when one cannot be used
 */
export function currentFaults(source: CurrentFaults): () => Faults {
  const current = typeof source === 'function' ? source : () => source
  let rules = current()
  let faults = new Faults(readFaultRules(rules))
  return () => {
    const now = current()
    if (now !== rules) faults = new Faults(readFaultRules(now))
    rules = now
    return faults
  }
}
