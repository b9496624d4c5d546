import { badRequest, type HttpError } from '../../errors'
import { readDuration } from '../../read-duration'

/** Seconds: how far a clock can be advanced in all. */
const FURTHEST = 365 * 86_400

/**
 * Reads by how much a test advances a clock, in seconds.
 *
 * @param time with its unit, such as `61m`
 * @throws HttpError 400 for anything else, and for more than any clock can be advanced
 */
export function readAdvance(time: unknown): number {
  const seconds = typeof time === 'string' ? readDuration(time) : undefined
  if (seconds === undefined)
    throw badRequest('"advance" must be a time with its unit, as in {"advance": "61m"}: 90s, 61m, 2h or 7d.')
  if (seconds > FURTHEST) throw tooFar()
  return seconds
}

function tooFar(): HttpError {
  return badRequest('"advance" is too much: in all, a sandbox can be 365 days ahead. A reset sets it back.')
}

/** The time of a sandbox: that of the server, and by how much a test has advanced it. */
export class SandboxClock {
  #ahead = 0
  readonly #clock: () => number

  /** @param clock that of the server, in milliseconds since the epoch */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#clock() + this.#ahead * 1000

  /**
   * Makes it later by some seconds.
   *
   * @throws HttpError 400 when it is too much in all
   */
  advance(seconds: number): void {
    if (this.#ahead + seconds > FURTHEST) throw tooFar()
    this.#ahead += seconds
  }
}
