import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { notReadable, notSaved, notUsable } from './file/file-errors'
import { WholeFile } from './file/whole-file'
import { parseReplacement, readData } from './parse-data'
import { type Found, SharedRow } from './postgresql/shared-row'
import { SavedData } from './saved-data'
import { printable } from './source-address'
import { DataError } from './valid-data'

export interface PostgresDataOptions {
  /** Path of a JSON file that fills an empty database. Default: it begins as `{}`. */
  fill?: string
  /** Told what a person should know while the database is used. Default: Node's `process.emitWarning`. */
  warn?: Warn
}

const NO_TEXT = Buffer.alloc(0)

/** Milliseconds between two looks at what others have written, beside the notifications. */
const LOOK_INTERVAL = 2000

/** Milliseconds in which what others write is gathered before it is read. */
const LOOK_DELAY = 50

/** Milliseconds for which the database is asked what has become of a write, and between two such questions. */
const ASK_PATIENCE = 10_000
const ASK_INTERVAL = 200

/** Milliseconds that the last turn has to end when the source is closed, and then the connection. */
const CLOSE_PATIENCE = 500

/**
 * Data in a row of a PostgreSQL database, which any number of servers share. Changes are made by turns: a turn locks
 * the row and takes over what others have written; then the requests that have waited for it run, in one tick; what
 * they have changed is written together, and the turn ends.
 */
export class PostgresData extends SavedData {
  readonly #row: SharedRow
  readonly #timer: NodeJS.Timeout
  /** The mark of the last write, as it was found. */
  #mark: string
  /** Why the text that was read last cannot be served; the state is then the last good one. */
  #unusable: DataError | undefined
  /** Resolves when the next turn has begun. */
  #next: Promise<void> | undefined
  /** Resolves when the turn that is under way has the lock. */
  #turn: Promise<void> | undefined
  /** Whether requests may join it. */
  #isOpen = false
  /** Resolves when the last turn or look has ended. */
  #ended: Promise<void> = Promise.resolve()
  #isLooking = false
  #isClosed = false

  private constructor(row: SharedRow, { mark, text = NO_TEXT }: Found, name: string, warn: Warn) {
    super(parseReplacement(text, name), { text, name, warn })
    this.#mark = mark
    this.#row = row
    this.#timer = setInterval(() => this.#look(), LOOK_INTERVAL).unref()
  }

  /**
   * Connects to a database, makes the table `mock` where there is none, and shares its row until `close`.
   *
   * @param url such as `postgresql://user@host/database`; a password may be in the variable PGPASSWORD
   * @throws DataError when it cannot be reached, its data cannot be served, or the package `pg` is not installed
   */
  static async open(
    url: string,
    { fill, warn = warnByNode }: PostgresDataOptions = {},
  ): Promise<PostgresData> {
    const name = printable(url)
    const first = () => (fill === undefined ? '{}' : readData(new WholeFile(fill, warn)).text)
    let look = () => {}
    const row = new SharedRow({ url, first, onNews: () => look() })
    try {
      const data = new PostgresData(row, await row.read(), name, warn)
      look = () => data.#look()
      return data
    } catch (error) {
      row.close()
      if (error instanceof DataError) throw error
      throw new DataError(
        `${name} cannot be read: ${reasonOf(error)}. Check the address, and the password in it or in PGPASSWORD.`,
      )
    }
  }

  /** Resolves when this server has a turn: what is changed then, in the same tick, is written in it. */
  override refresh(): void | Promise<void> {
    if (this.#isOpen) return
    this.#next ??= this.#waitForTurn()
    return this.#next
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#isClosed = true
    await Promise.race([this.#quiet(), sleep(CLOSE_PATIENCE, undefined, { ref: false })])
    await Promise.race([this.#row.close(), sleep(CLOSE_PATIENCE, undefined, { ref: false })])
  }

  /** Resolves when no turn and no write is under way. */
  async #quiet(): Promise<void> {
    await this.#ended
    await this.changes.idle()
  }

  async #waitForTurn(): Promise<void> {
    await this.#quiet()
    try {
      await this.#takeTurn()
    } finally {
      this.#next = undefined
    }
  }

  /** Resolves when the row is locked, and what others have written is taken over. */
  #takeTurn(): Promise<void> {
    this.#turn ??= this.#begin()
    return this.#turn
  }

  async #begin(): Promise<void> {
    let found: Found
    try {
      if (this.#isClosed) throw new DataError(`${this.name} is closed.`)
      found = await this.#row.lock()
    } catch (error) {
      this.#turn = undefined
      this.report(this.#unreachable(error))
      throw notMade('the database cannot be reached')
    }
    this.#ended = this.#end()
    this.#receive(found)
    if (this.#unusable !== undefined) throw notUsable(this.#unusable)
    this.#isOpen = true
  }

  async #end(): Promise<void> {
    // Whoever has waited for the turn makes a change now, and the requests of the same tick join it.
    await new Promise(setImmediate)
    this.#isOpen = false
    await this.changes.idle()
    // A write has ended it.
    if (this.#turn === undefined) return
    this.#turn = undefined
    await this.#row.unlock()
  }

  /** Takes over what others have written, in a moment, unless a turn does that. */
  #look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    setTimeout(() => {
      this.#isLooking = false
      if (this.#next === undefined && this.#turn === undefined) this.#ended = this.#read()
    }, LOOK_DELAY).unref()
  }

  /** Between two turns, the row can be read without its lock. */
  async #read(): Promise<void> {
    await this.#quiet()
    if (this.#isClosed) return
    try {
      this.#receive(await this.#row.read())
    } catch (error) {
      this.report(this.#unreachable(error))
    }
  }

  /** Outside a turn, it takes one of its own. */
  protected override async write(): Promise<void> {
    // What is changed from now on belongs to the next write, which may fail where this one does not.
    const { state, loaded, saved } = this
    const text = this.textToSave()
    const bytes = Buffer.concat(text)
    await this.#takeTurn()
    // A change outside a turn was made on what was there before.
    if (this.saved !== saved) throw changedByOthers()
    const before = this.#mark
    const mark = randomUUID()
    this.#turn = undefined
    try {
      await this.#row.write(bytes, mark)
      this.#mark = mark
      this.saved = { text, state, loaded }
    } catch (error) {
      this.warn(`${this.name} has not confirmed a change, and is asked: ${reasonOf(error)}.`)
      await this.#ask(mark, before)
    }
  }

  protected override textToSave(): Buffer[] {
    try {
      return super.textToSave()
    } catch (error) {
      throw notSaved(error, 'the database')
    }
  }

  /**
   * Asks what has become of a write. The row's lock waits for the connection that was lost.
   *
   * @throws HttpError when it was not made, or nobody knows because others have written since
   */
  async #ask(mark: string, before: string): Promise<void> {
    const end = Date.now() + ASK_PATIENCE
    for (;;) {
      try {
        this.#receive(await this.#row.lock())
        break
      } catch (error) {
        this.report(this.#unreachable(error))
        if (this.#isClosed || Date.now() > end) throw unknown()
        await sleep(ASK_INTERVAL)
      }
    }
    await this.#row.unlock()
    if (this.#mark === before) throw notMade('the database has not taken it')
    if (this.#mark !== mark) throw unknown()
  }

  /** Takes over what was found. A text that cannot be served is left where it is until somebody mends it. */
  #receive({ mark, text }: Found): void {
    this.#mark = mark
    if (text !== undefined) {
      try {
        this.takeOver(text, changedByOthers())
        this.#unusable = undefined
      } catch (error) {
        this.#unusable = notReadable(error, this.name)
      }
    }
    this.report(this.#unusable)
  }

  #unreachable(error: unknown): DataError {
    if (error instanceof DataError) return error
    return new DataError(`${this.name} cannot be reached: ${reasonOf(error)}.`)
  }
}

/** A clause. Some errors of Node have only a code: that of two refused addresses, for instance. */
function reasonOf(error: unknown): string {
  return (errorMessage(error) || String(errorCode(error))).replace(/\.$/, '')
}

function notMade(why: string): HttpError {
  return new HttpError({
    status: 503,
    message: `The change was not made, because ${why}. Send the request again.`,
    headers: RETRY_SOON,
  })
}

function changedByOthers(): HttpError {
  return notMade('somebody else has changed the data at the same moment')
}

function unknown(): HttpError {
  return new HttpError({
    status: 503,
    message:
      'Whether the change was made is unknown, because the database has not confirmed it: ' +
      'look at the data before you send the request again.',
  })
}
