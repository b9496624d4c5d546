import { randomUUID } from 'node:crypto'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import { DataText } from './data-text'
import { conflict, notSaved } from './file/file-errors'
import { parseData } from './parse-data'
import { lastWriteOf, withReceipt } from './receipts'
import type { Begun, Store } from './store'
import { Turn } from './turn'
import { type Data, DataError, validData } from './valid-data'

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

/** Milliseconds that `close` waits for a store that does not answer. */
const CLOSE_PATIENCE = 500

/** A write of which nobody knows whether the store has it. */
interface UnknownWrite {
  turn: Turn
  text: string
  number: number
}

/**
 * Data in a store, which several servers may share. Changes that arrive together share one turn: after
 * `begin` they are made on the newest data, at once, and are acknowledged when `write` has resolved. (A data
 * file has another path: a look at it takes microseconds, so that changes need not wait for each other.)
 */
export class StoredData extends DataSource {
  readonly #store: Store
  readonly #warn: Warn
  readonly #name: string
  readonly #patience: number
  readonly #server = randomUUID()
  readonly #dataText = new DataText()
  /** The text that the store had at the last moment at which that was known. */
  #text: string
  /** A newer text that cannot be served. */
  #unreadText: string | undefined
  #receipts = ''
  #writes = 0
  #unknownWrite: UnknownWrite | undefined
  /** The turn that has not begun: what arrives waits for it. */
  #next: Turn | undefined
  /** The turn that has begun, until its text is made. */
  #current: Turn | undefined
  /** Resolves when the last turn has ended. */
  #ended = Promise.resolve()
  #lookTimer: NodeJS.Timeout | undefined
  #unusable: DataError | undefined
  #isClosed = false

  private constructor(store: Store, data: Data, text: string, options: Required<StoredDataOptions>) {
    super(data)
    this.#store = store
    this.#text = text
    this.#warn = options.warn
    this.#name = options.name
    this.#patience = options.patience
  }

  /**
   * Reads the data of a store.
   *
   * @param store what begins with a text: that of a data file, for instance
   * @throws DataError when it cannot be read, or its data cannot be served
   */
  static async open(store: Store, options: StoredDataOptions = {}): Promise<StoredData> {
    const { warn = warnByNode, name = 'The store', patience = 10_000 } = options
    const text = await readFirst(store, name)
    const data = new StoredData(store, parse(text, name), text, { warn, name, patience })
    store.watch?.(() => data.#lookIn(LOOK_DELAY))
    // Others may have written before it was watched.
    data.#lookIn(0)
    return data
  }

  override serialise(): Buffer[] {
    // Shared data changes unnoticed: none of its text is cached.
    return this.isShared ? super.serialise() : this.#dataText.serialise(this.state)
  }

  /** Resolves when this server has its turn and the newest data. What is changed then, at once, is in it. */
  override refresh(): Promise<void> {
    const late = () => this.#notMade('did not answer in time')
    return inTime(this.#nextTurn().begun, this.#patience, late)
  }

  protected override store(): Promise<void> {
    const late = () =>
      new HttpError({
        status: 503,
        message:
          `Whether the change was made is unknown, because ${this.#name} has not confirmed it: ` +
          'look at the data before you send the request again.',
      })
    return inTime((this.#current ?? this.#nextTurn()).add(), this.#patience, late)
  }

  override async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#lookTimer)
    await super.close()
    const closed = this.#ended.then(() => this.#store.close?.())
    const late = () => new Error('it does not answer')
    await inTime(closed, CLOSE_PATIENCE, late).catch((error: unknown) =>
      this.#warn(`${this.#name} was not closed: ${reasonOf(error)}.`),
    )
  }

  /** The turn for what arrives now. */
  #nextTurn(): Turn {
    if (this.#next !== undefined) return this.#next
    const turn = new Turn()
    this.#next = turn
    this.#ended = this.#ended.then(() => this.#take(turn))
    return turn
  }

  /** Takes a turn, if only to see what others have written, after some milliseconds. */
  #lookIn(delay: number): void {
    if (this.#isClosed || this.#lookTimer !== undefined) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      this.#nextTurn()
    }, delay).unref()
  }

  /** A turn from the wait for it to its end. It never rejects. */
  async #take(turn: Turn): Promise<void> {
    let begun: Begun
    try {
      begun = await this.#begin()
    } catch (error) {
      return this.#fail(turn, error)
    }
    try {
      this.#adopt(begun)
    } catch (error) {
      await this.#release()
      return this.#fail(turn, error)
    }
    this.#reportUsable()
    this.#next = undefined
    this.#current = turn
    turn.begin()
    // Everybody who has waited for the turn makes a change now, before anything else can happen.
    await new Promise(setImmediate)
    this.#current = undefined
    if (turn.hasChanges) await this.#write(turn)
    else await this.#release()
  }

  /** A connection may have been lost unnoticed since the last turn: the second call makes another. */
  async #begin(): Promise<Begun> {
    try {
      return await this.#store.begin()
    } catch {
      return await this.#store.begin()
    }
  }

  /** Nothing is to be written, so a failure changes nothing, and the next turn reports it. */
  async #release(): Promise<void> {
    try {
      await this.#store.release()
    } catch {}
  }

  /**
   * Settles a write whose outcome was unknown, and takes a newer text over.
   *
   * @throws DataError when json-server could not serve it; the last good data stays
   */
  #adopt({ text, receipts }: Begun): void {
    const unknown = this.#unknownWrite
    const isMade = unknown !== undefined && lastWriteOf(this.#server, receipts) === unknown.number
    this.#receipts = receipts
    this.#unknownWrite = undefined
    const newest = text ?? (isMade ? unknown.text : this.#unreadText)
    if (isMade) unknown.turn.succeed()
    else unknown?.turn.fail(this.#notMade('has lost it'))
    if (newest === undefined || newest === this.#text) return
    // The store gives it only once.
    this.#unreadText = newest
    const data = parse(newest, this.#name)
    this.#unreadText = undefined
    this.#text = newest
    this.#setState(data, 'reload')
  }

  async #write(turn: Turn): Promise<void> {
    let text: string
    try {
      // Other code may have changed shared data in any way.
      if (this.isShared) validData(this.state, this.#name)
      text = Buffer.concat(this.serialise()).toString()
    } catch (error) {
      await this.#release()
      this.#rollBack()
      this.#warn(`Cannot write ${this.#name}: ${reasonOf(error)}.`, error)
      return turn.fail(notSaved(error, this.#name))
    }
    this.#writes += 1
    try {
      await this.#store.write(text, withReceipt(this.#receipts, this.#server, this.#writes))
      this.#text = text
      turn.succeed()
    } catch (error) {
      this.#warn(`${this.#name} has not confirmed a write, and is asked again: ${reasonOf(error)}.`)
      this.#unknownWrite = { turn, text, number: this.#writes }
      this.#rollBack()
      // The turn after the lost one tells what has become of it.
      this.#nextTurn()
    }
  }

  /** Called when a turn could not begin. */
  #fail(turn: Turn, error: unknown): void {
    this.#next = undefined
    const hadChanges = turn.hasChanges
    const isInvalid = error instanceof DataError
    turn.fail(this.#notMade(isInvalid ? 'holds data that cannot be served' : 'cannot be reached'))
    if (hadChanges) this.#rollBack()
    const unusable = isInvalid ? error : new DataError(`${this.#name} cannot be reached: ${reasonOf(error)}.`)
    const isNew = unusable.message !== this.#unusable?.message
    this.#unusable = unusable
    // A warning says it where nobody listens to the event.
    if (isNew && !this.emit('unusable', unusable)) this.#warn(unusable.message)
    this.#lookIn(RETRY_INTERVAL)
  }

  #reportUsable(): void {
    if (this.#unusable === undefined) return
    this.#unusable = undefined
    this.emit('usable')
  }

  #rollBack(): void {
    this.#setState(parse(this.#text, this.#name), 'rollback')
  }

  /** Discards what was changed before the turn that waits: it must not be reported as written. */
  #setState(data: Data, event: 'reload' | 'rollback'): void {
    this.#next?.failEarlier(conflict(this.#name))
    this.setState(data, event)
  }

  #notMade(why: string): HttpError {
    return new HttpError({
      status: 503,
      message: `The change was not made, because ${this.#name} ${why}. Send the request again.`,
      headers: RETRY_SOON,
    })
  }
}

/** @throws DataError when the store cannot be read */
async function readFirst(store: Store, name: string): Promise<string> {
  try {
    const { text } = await store.begin()
    await store.release()
    if (typeof text !== 'string') throw new Error('its first "begin" gave no text')
    return text
  } catch (error) {
    throw new DataError(`${name} cannot be read: ${reasonOf(error)}.`)
  }
}

function parse(text: string, name: string): Data {
  return parseData(Buffer.from(text), name)
}

/** Some errors of Node have only a code: that of two refused addresses, for instance. */
function reasonOf(error: unknown): string {
  return errorMessage(error) || String(errorCode(error))
}

/** Rejects when a promise takes too long. */
function inTime<Value>(promise: Promise<Value>, patience: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), patience)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
