import { NotDurableError } from './file/file-errors'

interface GroupCommitOptions {
  /**
   * Makes the state durable as it is when this is called. If it rejects, what is saved is as it was, unless the
   * error is a NotDurableError.
   */
  write: () => Promise<void>
  /** Makes the state, at once, what is saved. */
  rollBack: () => void
}

/**
 * Group commit: what is changed in one tick is written together, and what is changed during a write waits for the
 * next one. 32 clients then cost a few writes, not 32. As in steno, the newest state is written, and those who wait
 * share one promise (docs/examples/own-storage.mjs).
 */
export function groupCommit({ write, rollBack }: GroupCommitOptions) {
  /** The changes whose write has not begun. */
  let waiting: { written: Promise<void>; refusal: AbortController } | undefined
  /** Resolves when the last write that was asked for has ended. */
  let last = Promise.resolve()

  async function writeNext(refused: AbortSignal): Promise<void> {
    await last
    // The requests of the same tick share a write.
    await new Promise(setImmediate)
    refused.throwIfAborted()
    waiting = undefined
    try {
      await write()
    } catch (error) {
      if (!(error instanceof NotDurableError)) {
        // What was changed on top of a change that has failed is taken back with it.
        abort(error)
        rollBack()
      }
      throw error
    }
  }

  /** Rejects the changes whose write has not begun. The caller takes them back. */
  function abort(error: unknown): void {
    waiting?.refusal.abort(error)
    waiting = undefined
  }

  return {
    abort,

    /**
     * Resolves when a write that holds all changes made until now has ended.
     *
     * @returns one promise for all who wait for the same write; it rejects with the error of that write, with that
     *   of the write before it, and with that of `abort`
     */
    commit(): Promise<void> {
      if (waiting === undefined) {
        const refusal = new AbortController()
        const written = writeNext(refusal.signal)
        last = written.catch(() => {})
        waiting = { written, refusal }
      }
      return waiting.written
    },

    /** Resolves when no write is under way or to come, whether or not the last one failed. */
    async idle(): Promise<void> {
      let seen: Promise<void> | undefined
      while (seen !== last) {
        seen = last
        await seen
      }
    },
  }
}
