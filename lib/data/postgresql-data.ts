import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, errorMessage } from '../error-code'
import { HttpError, RETRY_SOON } from '../errors'
import { requireKinds } from '../option-kinds'
import { type Warn, warnByNode } from '../warn'
import { DataSource } from './data-source'
import type { DataStorage } from './data-storage'
import { type Chunks, textOf } from './data-text'
import { notSaved } from './file/file-errors'
import { parseReplacement } from './parse-data'
import { SharedRow } from './postgresql/shared-row'
import { readFiles } from './read-files'
import type { Turn } from './schedule'
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
  private constructor(data: Data, row: StoredRow, { name, warn }: { name: string; warn: Warn }) {
    // Whoever shares a database with other servers wants no line for each change of theirs.
    super(data, row, { name, warn, lookEvery: LOOK_INTERVAL, announcesChanges: false })
  }

  /**
   * Connects to a database, makes the table `mock` where there is none, and shares its row until `close`.
   *
   * @param url such as `postgresql://user@host/database`; a password may be in the variable PGPASSWORD
   * @throws TypeError when an option is of the wrong kind or does not exist
   * @throws DataError when it cannot be reached, its data cannot be served, or the package `pg` is not installed
   */
  static async open(url: string, options: PostgresDataOptions = {}): Promise<PostgresData> {
    requireKinds(options, { fill: ['a string'], warn: ['a function that returns at once'] })
    const { fill, warn = warnByNode } = options
    const name = printable(url)
    const first = () => (fill === undefined ? '{}' : Buffer.concat(textOf(readFiles(fill, warn))))
    const row = new SharedRow({ url, first })
    try {
      const data = parseReplacement((await row.read()) ?? NO_TEXT, name)
      return new PostgresData(data, new StoredRow(row, name, warn), { name, warn })
    } catch (error) {
      row.close()
      if (error instanceof DataError) throw error
      throw new DataError(
        `${name} cannot be read: ${reasonOf(error)}. Check the address, and the password in it or in PGPASSWORD.`,
      )
    }
  }
}

/** A row that holds all data. */
class StoredRow implements DataStorage {
  readonly #row: SharedRow
  readonly #name: string
  readonly #warn: Warn
  readonly #chunks: Chunks = new WeakMap()
  /** A text of others that was found when the row was locked. */
  #unread: Buffer | undefined
  #isClosed = false

  constructor(row: SharedRow, name: string, warn: Warn) {
    this.#row = row
    this.#name = name
    this.#warn = warn
  }

  /** The row is locked, unless it is. */
  readonly turn: Turn = {
    begin: async () => {
      try {
        if (this.#isClosed) throw new Error('it is closed')
        await this.#lock()
      } catch (error) {
        // The sentence is about the database: the code of an error would say less.
        const cause = new Error(reasonOf(error), { cause: error })
        throw notMade('the database cannot be reached, or somebody else keeps its row locked', cause)
      }
    },
    end: () => this.#row.unlock(),
  }

  /** Other servers notify each other of what they write. */
  watch(look: () => void): void {
    let isWaiting = false
    this.#row.on('news', () => {
      if (isWaiting) return
      isWaiting = true
      setTimeout(() => {
        isWaiting = false
        look()
      }, LOOK_DELAY).unref()
    })
  }

  async close(idle: Promise<void>): Promise<void> {
    await Promise.race([idle, sleep(CLOSE_PATIENCE, undefined, { ref: false })])
    this.#isClosed = true
    await Promise.race([this.#row.close(), sleep(CLOSE_PATIENCE, undefined, { ref: false })])
  }

  /** Between two turns, the row can be read without its lock. */
  async load(): Promise<Data | undefined> {
    const text = (await this.#read()) ?? this.#unread
    this.#unread = undefined
    return text && parseReplacement(text, this.#name)
  }

  async save(state: Data): Promise<void> {
    const text = this.#textOf(state)
    try {
      await this.#row.write(text)
    } catch (error) {
      this.#warn(`${this.#name} has not confirmed a change, and is asked: ${reasonOf(error)}.`)
      await this.#ask()
    }
  }

  async #lock(): Promise<void> {
    this.#unread = (await this.#row.lock()) ?? this.#unread
  }

  /** In a turn, others have written nothing since it was locked. */
  async #read(): Promise<Buffer | undefined> {
    if (this.#isClosed || this.#row.isLocked) return undefined
    try {
      return await this.#row.read()
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error })
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
        await this.#lock()
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

function notMade(why: string, cause?: unknown): HttpError {
  return new HttpError({
    status: 503,
    message: `The change was not made, because ${why}. Send the request again.`,
    headers: RETRY_SOON,
    cause,
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
