import { groupCommit } from './group-commit'

/**
 * A turn of one server of several that share a source: while it lasts, no other changes the data. `begin` may be called
 * again while it lasts, and `end` when there is none; `end` never rejects.
 */
export interface Turn {
  /** @throws HttpError 503 when nobody can have a turn; its `cause` says why */
  begin(): Promise<void>
  end(): Promise<void>
}

interface ScheduleOptions {
  /** Takes over what others have changed. It never rejects. */
  look: () => Promise<void>
  /** Saves the state as it is when this is called. It calls {@link Schedule.lookToSave} first. */
  write: () => Promise<void>
  /** Makes the state, at once, what is saved. */
  rollBack: () => void
  /** @throws HttpError 503 while nothing can be saved */
  refuse: () => void
  /** Default: whoever changes the data at the same time is noticed, and nobody waits for another. */
  turn?: Turn | undefined
}

/**
 * When a source is looked at, and when it is saved. Looks and turns come one after the other, and no look begins during
 * a write, which looks by itself.
 *
 * In a turn, the source is looked at; then the requests that have waited for it run, in one tick; what they have changed
 * is written together, and the turn ends.
 */
export class Schedule {
  readonly #changes: ReturnType<typeof groupCommit>
  #isWriting = false
  /** The look, and the turn, that others can join. */
  #nextLook: Promise<void> | undefined
  #nextTurn: Promise<void> | undefined
  /** Resolves when the look that has begun last has ended. */
  #looked: Promise<void> = Promise.resolve()
  /** Resolves when the last look or turn that was asked for has ended. */
  #last: Promise<void> = Promise.resolve()

  readonly #options: ScheduleOptions

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#changes = groupCommit({ write: () => this.#write(), rollBack: options.rollBack })
  }

  /** Looks once for all who ask until it begins. */
  readonly lookSoon = (): Promise<void> => {
    if (this.#isWriting) return Promise.resolve()
    this.#nextLook ??= this.#inOrder(async () => {
      this.#nextLook = undefined
      if (!this.#isWriting) await this.#look()
    })
    return this.#nextLook
  }

  /**
   * Resolves when the data is the newest, and may be changed in the same tick.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  async refresh(): Promise<void> {
    if (this.#options.turn !== undefined) return this.#joinTurn(this.#options.turn)
    await this.lookSoon()
    this.#options.refuse()
  }

  /** Resolves when a write that holds all changes made until now has ended. */
  commit(): Promise<void> {
    return this.#changes.commit()
  }

  /** Rejects the changes whose write has not begun. The caller takes them back. */
  abort(error: unknown): void {
    this.#changes.abort(error)
  }

  /**
   * Takes over what others have changed, before a state is saved.
   *
   * @throws HttpError 503 while nothing can be saved
   */
  async lookToSave(): Promise<void> {
    await this.#looked
    await this.#options.turn?.begin()
    await this.#look()
    this.#options.refuse()
  }

  /** Resolves when no turn, no look and no write is under way. */
  async idle(): Promise<void> {
    await this.#last
    await this.#changes.idle()
  }

  #look(): Promise<void> {
    this.#looked = this.#options.look()
    return this.#looked
  }

  /** Does one thing after the other. What is written outside a turn comes before the next turn. */
  #inOrder(action: () => Promise<void>): Promise<void> {
    const done = (this.#options.turn === undefined ? this.#last : this.idle()).then(action)
    this.#last = done.catch(() => {})
    return done
  }

  #joinTurn(turn: Turn): Promise<void> {
    this.#nextTurn ??= new Promise((resolve, reject) => {
      this.#inOrder(() => this.#take(turn, resolve)).catch(reject)
    })
    return this.#nextTurn
  }

  async #take(turn: Turn, onBegun: () => void): Promise<void> {
    try {
      await this.lookToSave()
      onBegun()
      // Whoever has waited for the turn makes a change now, and the requests of the same tick join it.
      await new Promise(setImmediate)
    } finally {
      this.#nextTurn = undefined
      await this.#changes.idle()
      await turn.end()
    }
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    try {
      await this.#options.write()
    } finally {
      // Outside a turn, it has begun one itself.
      await this.#options.turn?.end()
      this.#isWriting = false
    }
  }
}
