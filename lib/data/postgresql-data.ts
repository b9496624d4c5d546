import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import { type Chunks, textOf } from './data-text'
import { notSaved } from './file/file-errors'
import { parseReplacement } from './parse-data'
import { SharedRow } from './postgresql/shared-row'
import { readFiles } from './read-files'
import { printable } from './source-address'
import { type Data, DataError } from './valid-data'

export interface PostgresDataOptions {
  /** Path of a JSON file, or of a folder of them, that fills an empty database. Default: it begins as `{}`. */
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
export class PostgresData extends DataSource {
  readonly #row: SharedRow
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Chunks = new WeakMap()
  /** A text of others that was found while a save was asked about. */
  #unread: Buffer | undefined
  /** Resolves when the next turn begins. Until its tick ends, requests can join it. */
  #next: Promise<void> | undefined
  /** Resolves when the last turn or look has ended. */
  #last: Promise<void> = Promise.resolve()
  #isLooking = false
  #isClosed = false

  private constructor(row: SharedRow, text: Buffer, name: string, warn: Warn) {
    // Whoever shares a database with other servers wants no line for each change of theirs.
    super(parseReplacement(text, name), { name, warn, announcesChanges: false })
    this.#row = row.on('news', () => this.#lookSoon())
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_INTERVAL).unref()
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
    const first = () => (fill === undefined ? '{}' : Buffer.concat(textOf(readFiles(fill, warn))))
    const row = new SharedRow({ url, first })
    try {
      return new PostgresData(row, (await row.read()) ?? NO_TEXT, name, warn)
    } catch (error) {
      row.close()
      if (error instanceof DataError) throw error
      throw new DataError(
        `${name} cannot be read: ${reasonOf(error)}. Check the address, and the password in it or in PGPASSWORD.`,
      )
    }
  }

  /** Resolves when this server has a turn: what is changed then, in the same tick, is written in it. */
  override refresh(): Promise<void> {
    this.#next ??= new Promise((resolve, reject) => {
      this.#inOrder(() => this.#turn(resolve)).catch(reject)
    })
    return this.#next
  }

  override async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([this.#quiet(), sleep(CLOSE_PATIENCE, undefined, { ref: false })])
    this.#isClosed = true
    await Promise.race([this.#row.close(), sleep(CLOSE_PATIENCE, undefined, { ref: false })])
  }

  /** Resolves when no turn, no look and no write is under way. */
  #quiet(): Promise<void> {
    return this.#last.then(() => this.changes.idle())
  }

  /** Does one thing after the other. */
  #inOrder(action: () => Promise<void>): Promise<void> {
    const done = this.#quiet().then(action)
    this.#last = done.catch(() => {})
    return done
  }

  async #turn(begin: () => void): Promise<void> {
    try {
      await this.lookToSave()
      begin()
      // Whoever has waited for the turn makes a change now, and the requests of the same tick join it.
      await new Promise(setImmediate)
    } finally {
      this.#next = undefined
      await this.changes.idle()
      await this.#row.unlock()
    }
  }

  /**
   * Takes over what others have written, in a moment. One look waits at most: after 45 s in which the database did not
   * answer, a change waited for 31 s for the looks of that time.
   */
  #lookSoon(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    const look = async () => {
      // What is written from now on asks for another look.
      this.#isLooking = false
      if (!this.#isClosed) await this.look()
    }
    setTimeout(() => this.#inOrder(look), LOOK_DELAY).unref()
  }

  /** Between two turns, the row can be read without its lock. */
  protected override async load(toSave: boolean): Promise<Data | undefined> {
    try {
      if (this.#isClosed) throw new Error('it is closed')
      this.#unread = (await (toSave ? this.#row.lock() : this.#row.read())) ?? this.#unread
    } catch (error) {
      // The sentence is about the database: the code of an error would say less.
      throw new Error(reasonOf(error), { cause: error })
    }
    const text = this.#unread
    this.#unread = undefined
    return text && parseReplacement(text, this.name)
  }

  /** Locks the row, unless a turn has it locked. */
  protected override async lookToSave(): Promise<void> {
    await this.look(true)
    if (!this.#row.isLocked)
      throw notMade('the database cannot be reached, or somebody else keeps its row locked')
    this.refuseIfUnusable()
  }

  /** Outside a turn, it has locked the row itself. */
  protected override async saveChanges(): Promise<void> {
    try {
      await super.saveChanges()
    } finally {
      await this.#row.unlock()
    }
  }

  protected override async save(state: Data): Promise<void> {
    const text = this.#textOf(state)
    try {
      await this.#row.write(text)
    } catch (error) {
      this.warn(`${this.name} has not confirmed a change, and is asked: ${reasonOf(error)}.`)
      await this.#ask()
    }
  }

  #textOf(state: Data): Buffer {
    try {
      return Buffer.concat(textOf(state, this.#chunks))
    } catch (error) {
      throw notSaved(error, 'the database')
    }
  }

  /**
   * Asks what has become of a write. The row's lock waits for the connection that was lost.
   *
   * @throws HttpError 503 when it was not made, or nobody knows because others have written since
   */
  async #ask(): Promise<void> {
    const end = Date.now() + ASK_PATIENCE
    while (!this.#row.isLocked) {
      if (this.#isClosed || Date.now() > end) throw unknown()
      try {
        this.#unread = (await this.#row.lock()) ?? this.#unread
      } catch {
        await sleep(ASK_INTERVAL)
      }
    }
    const { wasWritten } = this.#row
    if (wasWritten === undefined) throw unknown()
    if (!wasWritten) throw notMade('the database has not taken it')
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

function unknown(): HttpError {
  return new HttpError({
    status: 503,
    message:
      'Whether the change was made is unknown, because the database has not confirmed it: ' +
      'look at the data before you send the request again.',
  })
}
