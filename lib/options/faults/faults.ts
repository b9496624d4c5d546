import { pathMatcher } from '../../http/path-pattern'
import { Draws } from './draws'
import { type ActedRule, type FaultRule, isAnswer } from './fault-rule'

/** A rule that was chosen for a request. */
export interface ChosenRule {
  readonly rule: FaultRule
  /** Which of the rules it is, from 1. */
  readonly number: number
  /** Milliseconds to wait before it acts. */
  readonly delay: number
  /** Counts that it acts. */
  readonly act: () => void
  /** Leaves its turn to another request, unless it has acted. */
  readonly leave: () => void
}

/** Rules for requests; each acts as often as its `times` says. */
export class Faults {
  readonly #rules: readonly CountedRule[]

  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules.map((rule, index) => new CountedRule(rule, index + 1))
  }

  /**
   * Chooses the first rule that is to act on a request.
   *
   * @param paths the path as it was sent, and as the rewrite rules make it
   * @param options `mayAnswer`: whether the request is for none that responds itself, whatever a rule answers
   */
  choose(
    method: string,
    paths: readonly [string, ...string[]],
    { mayAnswer }: { mayAnswer: boolean },
  ): ChosenRule | undefined {
    const matching = this.#rules.filter(
      (counted) => (mayAnswer || !isAnswer(counted.rule)) && counted.matches(method, paths),
    )
    // Each draws, also where an earlier one acts: which does is no matter for the draws of the others.
    const drawn = matching.map((counted) => ({ counted, delay: counted.draw(method, paths[0]) }))
    for (const { counted, delay } of drawn) {
      const chosen = delay === undefined ? undefined : counted.choose(delay)
      if (chosen !== undefined) return chosen
    }
    return undefined
  }

  list(): ActedRule[] {
    return this.#rules.map(({ rule, acted }) => ({ ...rule, acted }))
  }
}

/** A rule with its counts. */
class CountedRule {
  readonly rule: FaultRule
  acted = 0

  /** On how many requests it may act that are under way. */
  #waiting = 0
  readonly #number: number
  readonly #matchesPath: (path: string) => boolean
  readonly #draws: Draws | undefined

  constructor(rule: FaultRule, number: number) {
    this.rule = rule
    this.#number = number
    this.#matchesPath = pathMatcher(rule.path)
    const draws = rule.probability !== undefined || Array.isArray(rule.delay)
    this.#draws = draws ? new Draws(rule.seed, number) : undefined
  }

  matches(method: string, paths: readonly string[]): boolean {
    return (this.rule.method ?? method) === method && paths.some(this.#matchesPath)
  }

  /** @returns the milliseconds to wait; undefined if it leaves this request alone */
  draw(method: string, path: string): number | undefined {
    const { delay = 0, probability = 1 } = this.rule
    const { chance, share } = this.#draws?.next(method, path) ?? { chance: 0, share: 0 }
    if (chance >= probability) return undefined
    if (typeof delay === 'number') return delay
    const [from, to] = delay
    return Math.round(from + share * (to - from))
  }

  /** @returns undefined if it has acted as often as it may */
  choose(delay: number): ChosenRule | undefined {
    const { times = Number.POSITIVE_INFINITY } = this.rule
    if (this.acted + this.#waiting >= times) return undefined
    this.#waiting += 1
    let isWaiting = true
    const leave = () => {
      if (isWaiting) this.#waiting -= 1
      isWaiting = false
    }
    const act = () => {
      leave()
      this.acted += 1
    }
    return { rule: this.rule, number: this.#number, delay, act, leave }
  }
}
