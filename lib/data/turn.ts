/** A promise that somebody else settles. */
class Outcome {
  readonly promise: Promise<void>
  resolve: () => void = () => {}
  reject: (error: unknown) => void = () => {}

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Nobody may wait for it: a rejection without a handler ends the process.
    this.promise.catch(() => {})
  }
}

/** A turn of this server, for those who wait for it. */
export class Turn {
  readonly #begun = new Outcome()
  readonly #written = new Outcome()
  /** The outcome for changes that were made before the turn began. */
  #earlier: Outcome | undefined
  #hasBegun = false
  #hasChanges = false

  /** Resolves when changes can be made. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Whether there is something to write. */
  get hasChanges(): boolean {
    return this.#hasChanges || this.#earlier !== undefined
  }

  /** Adds what has just been changed: the promise resolves when it is written. */
  add(): Promise<void> {
    if (!this.#hasBegun) {
      this.#earlier ??= new Outcome()
      return this.#earlier.promise
    }
    this.#hasChanges = true
    return this.#written.promise
  }

  begin(): void {
    this.#hasBegun = true
    this.#begun.resolve()
  }

  /** Everything is written. */
  succeed(): void {
    this.#earlier?.resolve()
    this.#written.resolve()
  }

  /** Nothing is written. */
  fail(error: unknown): void {
    this.failEarlier(error)
    this.#begun.reject(error)
    this.#written.reject(error)
  }

  /** What was changed before the turn began has been discarded. */
  failEarlier(error: unknown): void {
    this.#earlier?.reject(error)
    this.#earlier = undefined
  }
}
