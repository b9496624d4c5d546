import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { notReadable, notSaved, notUsable } from './file/file-errors'
import { groupCommit } from './group-commit'
import { parseData } from './parse-data'
import { type Receipts, readReceipts, withReceipt } from './receipts'
import { SavedData } from './saved-data'
import type { Begun, Store } from './store'
import { type Data, DataError } from './valid-data'

export interface StoredDataOptions {
  /** Told what a person should know while the store is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
  /** Names the store at the start of an error's sentence. Default: `The store`. */
  name?: string
  /** Milliseconds that a change waits for its turn, and then for its write. Default: 10,000. */
  patience?: number
}

/** Milliseconds until the store is asked again after a failure. */
const RETRY_INTERVAL = 500

/** Milliseconds in which others' writes are gathered before they are looked at. */
const LOOK_DELAY = 50

/** Milliseconds that a store has to close. */
const CLOSE_PATIENCE = 500

/**
 * Data in a store, which several servers may share. Changes that arrive together share one turn: after
 * `begin` they are made on the newest data, at once, and are acknowledged when `write` has resolved. (A data
 * file needs no turns: a look at it takes microseconds, so that changes need not wait for each other.)
 */
export class StoredData extends SavedData {
  readonly #store: Store
  readonly #patience: number
  readonly #server = randomUUID()
  protected override readonly commits = groupCommit({
    begin: () => this.#begin(),
    write: () => this.#write(),
    release: () => this.#release(),
    rollBack: () => this.rollBack(),
  })
  /** A text that the store has given, until it is taken over: it is given only once. */
  #newText: string | undefined
  #receipts: Receipts = {}
  #writes = 0
  #lookTimer: NodeJS.Timeout | undefined
  /** The end of its closing, which has begun. */
  #closed: Promise<void> | undefined
  /** Whether the store may not be called any more. */
  #isClosed = false

  private constructor(store: Store, data: Data, text: string, options: Required<StoredDataOptions>) {
    super(data, text, options)
    this.#store = store
    this.#patience = options.patience
  }

  /**
   * Reads the data of a store.
   *
   * @param store what begins with a text: that of a data file, for instance
   * @throws DataError when it cannot be read, or its data cannot be served; the store is then closed
   */
  static async open(store: Store, options: StoredDataOptions = {}): Promise<StoredData> {
    const { warn = warnByNode, name = 'The store', patience = 10_000 } = options
    const reading = StoredData.#read(store, { warn, name, patience })
    return inTime(reading, patience, () => {
      // A store that answers later is closed then.
      reading.then((data) => data.close()).catch(() => {})
      return new DataError(`${name} did not answer in time.`)
    })
  }

  /** @throws DataError when the store cannot be read or watched, or its data cannot be served */
  static async #read(store: Store, options: Required<StoredDataOptions>): Promise<StoredData> {
    const { name, warn } = options
    try {
      const { text, receipts } = await store.begin()
      await store.release()
      readReceipts(receipts, name)
      if (typeof text !== 'string') throw new Error('its first "begin" gave no text')
      const data = new StoredData(store, parseData(text, name), text, options)
      await store.watch?.(() => data.#lookIn(LOOK_DELAY))
      // Others may have written before it was watched.
      data.#lookIn(0)
      return data
    } catch (error) {
      await closeStore(store, name, warn)
      throw error instanceof DataError ? error : new DataError(`${name} cannot be read: ${reasonOf(error)}.`)
    }
  }

  /** Resolves when this server has its turn and the newest data. What is changed then, at once, is in it. */
  override refresh(): Promise<void> {
    const late = () => {
      this.reportUnusable(new DataError(`${this.name} does not answer.`))
      return this.#notMade('did not answer in time')
    }
    return inTime(this.commits.nextTurn(), this.#patience, late)
  }

  protected override store(): Promise<void> {
    return inTime(super.store(), this.#patience, () => this.#unknown())
  }

  override close(patience = this.#patience): Promise<void> {
    this.#closed ??= this.#close(patience)
    return this.#closed
  }

  async #close(patience: number): Promise<void> {
    clearTimeout(this.#lookTimer)
    await super.close()
    const closed = this.commits.idle().then(() => {
      this.#isClosed = true
      return closeStore(this.#store, this.name, this.warn)
    })
    await inTime(closed, patience + CLOSE_PATIENCE, doesNotAnswer).catch((error: unknown) =>
      this.warn(`The last turn of ${this.name} was not waited for: ${reasonOf(error)}.`),
    )
  }

  /** Takes a turn, if only to see what others have written, after some milliseconds. */
  #lookIn(delay: number): void {
    if (this.#lookTimer !== undefined) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      this.commits.nextTurn()
    }, delay).unref()
  }

  /** Waits for the turn, and takes over the newest text. */
  async #begin(): Promise<void> {
    if (this.#isClosed) throw this.#notMade('is closed')
    let begun: Begun
    try {
      begun = await this.#beginTwice()
    } catch (error) {
      this.#lookIn(RETRY_INTERVAL)
      this.reportUnusable(this.#unreachable(error))
      throw this.#notMade('cannot be reached')
    }
    try {
      this.#keep(begun)
      if (this.#newText === undefined) this.reportUsable()
      else this.takeOver(this.#newText)
      this.#newText = undefined
    } catch (error) {
      await this.#release()
      const unusable = notReadable(error, this.name)
      this.#lookIn(RETRY_INTERVAL)
      this.reportUnusable(unusable)
      throw notUsable(unusable)
    }
  }

  /** A connection may have been lost unnoticed since the last turn: the second call makes another. */
  async #beginTwice(): Promise<Begun> {
    try {
      return await this.#store.begin()
    } catch {
      return await this.#store.begin()
    }
  }

  /** @throws DataError when the receipts cannot be read; the text is kept all the same */
  #keep({ text, receipts }: Begun): void {
    if (typeof text === 'string') this.#newText = text
    this.#receipts = readReceipts(receipts, this.name)
  }

  /** Nothing is to be written, so a failure changes nothing, and the next turn reports it. */
  async #release(): Promise<void> {
    try {
      await this.#store.release()
    } catch {}
  }

  async #write(): Promise<void> {
    let text: Buffer
    try {
      text = Buffer.concat(this.textToSave())
    } catch (error) {
      await this.#release()
      const failure = notSaved(error, this.name)
      if (failure.status === 500) this.warn(`Cannot write ${this.name}: ${reasonOf(error)}.`, error)
      throw failure
    }
    this.#writes += 1
    try {
      await this.#store.write(text.toString(), withReceipt(this.#receipts, this.#server, this.#writes))
    } catch (error) {
      this.warn(`${this.name} has not confirmed a write, and is asked again: ${reasonOf(error)}.`)
      await this.#ask()
    }
    this.hasSaved([text])
  }

  /**
   * Asks what has become of a write, for as long as the store does not say. Until then reads show the change.
   *
   * @throws HttpError when it was not made
   */
  async #ask(): Promise<void> {
    let isMade = await this.#hasLastWrite()
    while (isMade === undefined) {
      if (this.#closed !== undefined) throw this.#unknown()
      await sleep(RETRY_INTERVAL)
      isMade = await this.#hasLastWrite()
    }
    // Others may have written since.
    this.commits.nextTurn()
    if (!isMade) throw this.#notMade('has not written it')
  }

  /** Whether the store has what was written last; undefined when it does not say. */
  async #hasLastWrite(): Promise<boolean | undefined> {
    try {
      const begun = await this.#beginTwice()
      await this.#release()
      this.#keep(begun)
      return this.#receipts[this.#server] === this.#writes
    } catch (error) {
      this.reportUnusable(this.#unreachable(error))
      return undefined
    }
  }

  #unreachable(error: unknown): DataError {
    if (error instanceof DataError) return error
    return new DataError(`${this.name} cannot be reached: ${reasonOf(error)}.`)
  }

  #unknown(): HttpError {
    return new HttpError({
      status: 503,
      message:
        `Whether the change was made is unknown, because ${this.name} has not confirmed it: ` +
        'look at the data before you send the request again.',
    })
  }

  #notMade(why: string): HttpError {
    return new HttpError({
      status: 503,
      message: `The change was not made, because ${this.name} ${why}. Send the request again.`,
      headers: RETRY_SOON,
    })
  }
}

/** Never fails: nothing is written any more. */
async function closeStore(store: Store, name: string, warn: Warn): Promise<void> {
  const closed = (async () => store.close?.())()
  await inTime(closed, CLOSE_PATIENCE, doesNotAnswer).catch((error: unknown) =>
    warn(`${name} was not closed: ${reasonOf(error)}.`),
  )
}

const doesNotAnswer = () => new Error('it does not answer')

/** A clause. Some errors of Node have only a code: that of two refused addresses, for instance. */
function reasonOf(error: unknown): string {
  return (errorMessage(error) || String(errorCode(error))).replace(/\.$/, '')
}

/** Rejects when a promise takes too long. */
function inTime<Value>(promise: Promise<Value>, patience: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), patience)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
