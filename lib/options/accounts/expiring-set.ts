/** Texts that are remembered until they expire, but no more than a number of them: the oldest is forgotten first. */
export class ExpiringSet {
  /** When each expires, in seconds since the epoch; the one that was added first is the first. */
  readonly #expiries = new Map<string, number>()

  readonly #most: number
  readonly #clock: () => number

  /** @param clock milliseconds since the epoch */
  constructor(most: number, clock: () => number) {
    this.#most = most
    this.#clock = clock
  }

  get size(): number {
    return this.#expiries.size
  }

  has(text: string): boolean {
    return this.#expiries.has(text)
  }

  /** @param expiry seconds since the epoch */
  add(text: string, expiry: number): void {
    const now = this.#clock() / 1000
    this.#expiries.delete(text)
    this.#expiries.set(text, expiry)
    for (const [oldest, its] of this.#expiries) {
      if (its > now && this.#expiries.size <= this.#most) return
      this.#expiries.delete(oldest)
    }
  }
}
