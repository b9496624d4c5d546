import type { IncomingHttpHeaders } from 'node:http'
import { pathMatcher } from '../../http/path-pattern'
import type { RequestLine } from '../../http/request'
import { Draws } from './draws'
import { type ActedRule, type FaultRule, isAnswer } from './fault-rule'
import { agrees, agreesWithout } from './when'

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

/** What rules see of a request before its body is read. */
interface AskedOfFaults {
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  /** As it was sent, and as the rewrite rules make it. */
  readonly lines: readonly [RequestLine, ...RequestLine[]]
  /** Whether the request is for none that responds itself, whatever a rule answers. */
  readonly mayAnswer: boolean
}

/** Rules for requests; each acts as often as its `times` says. */
export class Faults {
  readonly #rules: readonly CountedRule[]

  constructor(rules: readonly FaultRule[]) {
    this.#rules = rules.map((rule, index) => new CountedRule(rule, index + 1))
  }

  /** The rules that are for a request, but for what they say of its body. */
  candidates(asked: AskedOfFaults): Candidates {
    const matching = this.#rules.filter(
      (counted) => (asked.mayAnswer || !isAnswer(counted.rule)) && counted.matches(asked),
    )
    const beginAgain = ({ rule }: CountedRule) => {
      for (const counted of this.#rules) if (counted.hasPlace(rule)) counted.beginAgain()
    }
    return new Candidates(matching, asked.lines[0], beginAgain)
  }

  list(): ActedRule[] {
    return this.#rules.map(({ rule, acted }) => ({ ...rule, acted }))
  }
}

/** The rules that may act on one request, which are asked in their order, as soon as what they look at is known. */
class Candidates {
  readonly #line: RequestLine
  readonly #beginAgain: (counted: CountedRule) => void
  /** Those that have not been asked yet, each with the milliseconds to wait; undefined where it leaves the request alone. */
  readonly #left: { counted: CountedRule; delay: number | undefined }[]

  constructor(
    matching: readonly CountedRule[],
    line: RequestLine,
    beginAgain: (counted: CountedRule) => void,
  ) {
    this.#line = line
    this.#beginAgain = beginAgain
    // Each draws, also where an earlier one acts: which does is no matter for the draws of the others.
    this.#left = matching.map((counted) => ({
      counted,
      delay: counted.readsBody ? undefined : counted.draw(line),
    }))
  }

  /** Whether a rule waits for the body. */
  get isWaiting(): boolean {
    return this.#left.length > 0
  }

  /**
   * Chooses the first rule that is to act.
   *
   * @param parsed the body. Default: it is not known yet, and a rule that looks at it waits, with all after it
   */
  choose(parsed?: { body: unknown }): ChosenRule | undefined {
    for (let next = this.#left[0]; next !== undefined; next = this.#left[0]) {
      const { counted } = next
      if (counted.readsBody && parsed === undefined) return undefined
      this.#left.shift()
      if (counted.readsBody && !counted.agreesWith(parsed?.body)) continue
      const delay = counted.readsBody ? counted.draw(this.#line) : next.delay
      const chosen = delay === undefined ? undefined : counted.choose(delay)
      if (chosen === undefined) continue
      if (counted.rule.repeat && counted.isUsedUp) this.#beginAgain(counted)
      return chosen
    }
    return undefined
  }
}

/** A rule with its counts. */
class CountedRule {
  readonly rule: FaultRule
  acted = 0

  /** How many requests it was chosen for, since it has begun again. */
  #chosen = 0
  /** How often it has begun again. */
  #round = 0
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

  /** Whether it looks at the body of a request. */
  get readsBody(): boolean {
    return this.rule.when?.body !== undefined
  }

  /** Whether it has acted, or will, as often as it may. */
  get isUsedUp(): boolean {
    return this.#chosen >= (this.rule.times ?? Number.POSITIVE_INFINITY)
  }

  matches({ lines, ...request }: AskedOfFaults): boolean {
    const { method, when } = this.rule
    return (
      lines.some((line) => (method ?? line.method) === line.method && this.#matchesPath(line.path)) &&
      (when === undefined || agreesWithout(when, request))
    )
  }

  agreesWith(body: unknown): boolean {
    return agrees(this.rule.when?.body, body)
  }

  /** Whether it is for the method and the path of another rule. */
  hasPlace({ method, path }: FaultRule): boolean {
    return this.rule.method === method && this.rule.path === path
  }

  /** @returns the milliseconds to wait; undefined if it leaves this request alone */
  draw({ method, path }: RequestLine): number | undefined {
    const { delay = 0, probability = 1 } = this.rule
    const { chance, share } = this.#draws?.next(method, path) ?? { chance: 0, share: 0 }
    if (chance >= probability) return undefined
    if (typeof delay === 'number') return delay
    const [from, to] = delay
    return Math.round(from + share * (to - from))
  }

  /** @returns undefined if it has acted as often as it may */
  choose(delay: number): ChosenRule | undefined {
    if (this.isUsedUp) return undefined
    this.#chosen += 1
    const round = this.#round
    let isWaiting = true
    const leave = () => {
      if (isWaiting && round === this.#round) this.#chosen -= 1
      isWaiting = false
    }
    const act = () => {
      isWaiting = false
      this.acted += 1
    }
    return { rule: this.rule, number: this.#number, delay, act, leave }
  }

  /** Forgets for how many requests it was chosen. */
  beginAgain(): void {
    this.#chosen = 0
    this.#round += 1
  }
}
