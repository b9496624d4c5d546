import { createHash, randomInt } from 'node:crypto'

/** What is drawn for one match of a rule: numbers from 0 up to 1, which they never are. */
interface Draw {
  readonly chance: number
  readonly share: number
}

/** How many methods and paths a rule counts, which strangers choose: after that, it counts from the beginning. */
const MOST_COUNTED = 10_000

/**
 * The draws of one rule. The nth for a method and a path depends on these and the seed alone, so that it is the same in
 * every run, in whatever order requests for other paths arrive.
 */
export class Draws {
  readonly #counts = new Map<string, number>()
  readonly #seed: string

  /**
   * @param seed default: another each time
   * @param number which of the rules it is: rules with one seed draw different numbers
   */
  constructor(seed: number = randomInt(2 ** 47), number: number) {
    this.#seed = `${seed} ${number}`
  }

  next(method: string, path: string): Draw {
    const matched = `${method} ${path}`
    const count = (this.#counts.get(matched) ?? 0) + 1
    if (this.#counts.size >= MOST_COUNTED) this.#counts.clear()
    this.#counts.set(matched, count)
    const hash = createHash('sha256').update(`${this.#seed} ${count} ${matched}`).digest()
    return { chance: hash.readUInt32BE(0) / 2 ** 32, share: hash.readUInt32BE(4) / 2 ** 32 }
  }
}
