import { NotDurableError } from './file/file-errors'

/** Changes that one write makes durable. */
interface Batch {
  written: Promise<void>
  /** Why they were taken back before their write began. */
  failure?: unknown
}

export interface GroupCommitOptions {
  /**
   * Makes everything durable that has been changed up to its start. When it fails, nothing was changed,
   * unless the error is a NotDurableError.
   */
  write: () => Promise<void>
  /** Takes back, at once, every change that the failed write held and every change made since it began. */
  rollBack: () => void
}

/**
 * Group commit: the changes made while a write is under way are saved together by the next one, and each
 * waits for the write that holds it. 32 clients then cost a few writes, not 32.
 */
export function groupCommit({ write, rollBack }: GroupCommitOptions) {
  /** The changes that no write holds yet. */
  let queued: Batch | undefined
  /** Resolves when the last write has ended, whether or not it failed. */
  let ended = Promise.resolve()

  function newBatch(): Batch {
    const batch: Batch = { written: ended.then(() => writeBatch(batch)) }
    ended = batch.written.catch(() => {})
    return batch
  }

  async function writeBatch(batch: Batch): Promise<void> {
    // The requests that arrived in the same tick join this write.
    await new Promise(setImmediate)
    if (batch.failure !== undefined) throw batch.failure
    queued = undefined
    try {
      await write()
    } catch (error) {
      if (!(error instanceof NotDurableError)) {
        rollBack()
        abort(error)
      }
      throw error
    }
  }

  /** Rejects the changes that no write holds yet. The caller has already taken them back. */
  function abort(error: unknown): void {
    if (queued !== undefined) queued.failure = error
    queued = undefined
  }

  return {
    abort,

    /**
     * Waits until a write that began after this call has ended.
     *
     * @returns rejects with the error of that write, or of the one before it: what was changed on top of a
     *   change that failed has been rolled back with it
     */
    commit(): Promise<void> {
      queued ??= newBatch()
      return queued.written
    },

    /** Resolves when no write is under way or queued, whether or not the last one failed. */
    idle: () => ended,
  }
}
