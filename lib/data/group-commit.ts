import { NotDurableError } from './not-durable-error'

/** A promise that others resolve or reject. */
interface Batch {
  promise: Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
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
  #queued: Batch | undefined
  #running: Promise<void> | undefined

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
    this.#queued ??= newBatch()
    const { promise } = this.#queued
    this.#running ??= this.#run()
    return promise
  }

  /** Rejects the changes that no write holds yet. The caller has taken them back. */
  abort(error: unknown): void {
    const batch = this.#queued
    this.#queued = undefined
    batch?.reject(error)
  }

  /** Resolves when no write is under way or queued, whether or not the last one failed. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queued !== undefined) {
      // The requests that arrived in the same tick join this write.
      await new Promise(setImmediate)
      const batch = this.#queued
      this.#queued = undefined
      if (batch === undefined) break
      try {
        await this.#options.write()
        batch.resolve()
      } catch (error) {
        if (!(error instanceof NotDurableError)) {
          this.#options.rollBack()
          this.abort(error)
        }
        batch.reject(error)
      }
    }
    this.#running = undefined
  }
}

function newBatch(): Batch {
  let resolve: Batch['resolve'] = () => {}
  let reject: Batch['reject'] = () => {}
  const promise = new Promise<void>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise
    reject = rejectPromise
  })
  return { promise, resolve, reject }
}
