import { NotDurableError } from './not-durable-error'

/** Changes that one write makes durable. */
interface Batch {
  written: Promise<void>
  /** Why they were taken back before their write began. */
  failure?: unknown
}

export interface GroupCommitOptions {
  /** Makes everything that has been changed up to its start durable. All or nothing, but for a NotDurableError. */
  write: () => Promise<void>
  /** Takes back, at once, every change that the failed write held and every change made since it began. */
  rollBack: () => void
}

/**
 * Group commit: the changes made while a write is under way go out together in the next one, and each waits for
 * the write that holds it. 32 clients then cost a few writes, not 32.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  /** The changes that no write holds yet. */
  #queued: Batch | undefined
  /** Resolves when the last write has ended, whether or not it failed. */
  #idle = Promise.resolve()

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /**
   * Waits until a write that began after this call has ended.
   *
   * @returns rejects with the error of that write, or of the one before it: what was changed on top of a change
   *   that failed has been rolled back with it
   */
  commit(): Promise<void> {
    this.#queued ??= this.#newBatch()
    return this.#queued.written
  }

  /** Rejects the changes that no write holds yet. The caller has taken them back. */
  abort(error: unknown): void {
    if (this.#queued !== undefined) this.#queued.failure = error
    this.#queued = undefined
  }

  /** Resolves when no write is under way or queued, whether or not the last one failed. */
  idle(): Promise<void> {
    return this.#idle
  }

  #newBatch(): Batch {
    const batch: Batch = { written: this.#idle.then(() => this.#write(batch)) }
    this.#idle = batch.written.catch(() => {})
    return batch
  }

  async #write(batch: Batch): Promise<void> {
    // The requests that arrived in the same tick join this write.
    await new Promise(setImmediate)
    if (batch.failure !== undefined) throw batch.failure
    this.#queued = undefined
    try {
      await this.#options.write()
    } catch (error) {
      if (!(error instanceof NotDurableError)) {
        this.#options.rollBack()
        this.abort(error)
      }
      throw error
    }
  }
}
