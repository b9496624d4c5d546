import { NotDurableError } from './file/file-errors'

export interface GroupCommitOptions {
  /** Waits until changes may be made, and takes over what others have written. Default: they always may. */
  begin?: () => Promise<void>
  /**
   * Makes everything durable that has been changed up to its start. When it fails, nothing was changed,
   * unless the error is a NotDurableError.
   */
  write: () => Promise<void>
  /** Ends a turn in which nothing was changed. It never fails. */
  release?: () => Promise<void>
  /** Takes back, at once, every change since the last successful write. */
  rollBack: () => void
}

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

/**
 * Group commit: changes become durable by turns, of which each writes all that was changed before and in it.
 * What is changed while a write is under way waits for the next one. 32 clients then cost a few writes, not
 * 32.
 */
export function groupCommit({ begin, write, release, rollBack }: GroupCommitOptions) {
  /** The changes that no write holds yet. */
  let queued: Outcome | undefined
  /** The turn that has not begun. */
  let next: Outcome | undefined
  /** Whether a turn has begun whose write has not. */
  let isOpen = false
  /** Resolves when the last turn has ended. */
  let ended = Promise.resolve()

  /** Resolves when the next turn has begun: what is changed then, at once, is written in it. */
  function nextTurn(): Promise<void> {
    if (next === undefined) {
      next = new Outcome()
      ended = ended.then(take)
    }
    return next.promise
  }

  /** Takes a turn, from the wait for it to its end. It never rejects. */
  async function take(): Promise<void> {
    try {
      await begin?.()
    } catch (error) {
      const waiting = takeNext()
      if (queued !== undefined) discard(error)
      waiting?.reject(error)
      return
    }
    isOpen = true
    takeNext()?.resolve()
    // Everybody who has waited for the turn makes a change now, and the requests of the same tick join it.
    await new Promise(setImmediate)
    isOpen = false
    const changes = queued
    queued = undefined
    if (changes === undefined) {
      await release?.()
      return
    }
    try {
      await write()
      changes.resolve()
    } catch (error) {
      if (!(error instanceof NotDurableError)) discard(error)
      changes.reject(error)
    }
  }

  function takeNext(): Outcome | undefined {
    const turn = next
    next = undefined
    return turn
  }

  /** Takes everything back that is not written: what was changed on top of a failed change, too. */
  function discard(error: unknown): void {
    abort(error)
    rollBack()
  }

  /** Rejects the changes that no write holds yet. The caller takes them back. */
  function abort(error: unknown): void {
    queued?.reject(error)
    queued = undefined
  }

  return {
    nextTurn,
    abort,

    /**
     * Resolves when a write that holds all changes made until now has ended.
     *
     * @returns rejects with the error of that write or of its turn; with that of the write before it, because
     *   what was changed on top of a change that failed is taken back with it; and with that of `abort`
     */
    commit(): Promise<void> {
      if (!isOpen) nextTurn()
      queued ??= new Outcome()
      return queued.promise
    },

    /** Resolves when no turn is under way or to come, whether or not the last one failed. */
    async idle(): Promise<void> {
      let last: Promise<void> | undefined
      while (last !== ended) {
        last = ended
        await last
      }
    },
  }
}
