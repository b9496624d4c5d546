import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Client, Result } from 'pg'
import { errorCode } from '../../error-code'
import { DataError } from '../valid-data'

/** By it, a server knows the sessions of others. */
const APPLICATION = 'json-server-bearer'

/** Milliseconds until the session of a server that has stopped within its turn is ended by the database. */
const LONGEST_STOP = 1500

/** Milliseconds that one turn waits for another. */
const LONGEST_WAIT = 2000

const COLUMNS = 'id integer, version integer, mark text, data text'

const FIND_COLUMNS = `
  SELECT string_agg(attname || ' ' || format_type(atttypid, NULL), ', ' ORDER BY attnum) AS columns
  FROM pg_attribute WHERE attrelid = to_regclass('mock') AND attnum > 0 AND NOT attisdropped`

// Several servers may start at this moment, and IF NOT EXISTS does not make one wait for another.
const CREATE = `
  BEGIN;
  SELECT pg_advisory_xact_lock(33000);
  CREATE TABLE IF NOT EXISTS mock (
    id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    version integer NOT NULL DEFAULT 1,
    mark text NOT NULL DEFAULT '',
    data text NOT NULL
  );
  COMMIT`

const FILL = `
  INSERT INTO mock AS stored (data) VALUES ($1)
  ON CONFLICT (id) DO UPDATE SET data = excluded.data, version = stored.version + 1
  WHERE stored.data = '{}' AND excluded.data <> '{}'`

/** Another one after each change, also after one by hand that leaves the version as it is. */
const STAMP = `version || '/' || xmin`

/** The database ends those who do not send; whoever does not read is ended by those who wait. */
const END_STOPPED = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = '${APPLICATION}' AND datname = current_database() AND usename = current_user
    AND wait_event_type = 'Client' AND xact_start < now() - interval '${LONGEST_STOP} ms'`

interface SharedRowOptions {
  /** The address of the database. */
  url: string
  /** Gives the text of an empty database. */
  first: () => Buffer | string
}

interface RowEvents {
  /** Another server, or somebody by hand, has changed the row and notified the channel `mock`. */
  news: []
}

/**
 * The row of the table `mock` that holds the data of several servers. Its lock is the turn: a lost connection ends it,
 * too. All of a turn happens on one connection, on which the notifications arrive as well.
 */
export class SharedRow extends EventEmitter<RowEvents> {
  #client: Client | undefined
  /** The connection that holds the lock. */
  #locked: Client | undefined
  /** The stamp of what was read or written last. */
  #stamp = ''
  /** What the last write of any server has set, as it was found last. */
  #mark = ''
  /** What the last write of this server was to set, and what it was to replace. */
  #marks = { set: '', replaced: '' }
  /** Resolves when what was asked last has ended: a connection does one thing after the other. */
  #last: Promise<unknown> = Promise.resolve()

  readonly #options: SharedRowOptions

  constructor(options: SharedRowOptions) {
    super()
    this.#options = options
  }

  /** Gives the text, if it is another than the one that was read or written last. */
  read(): Promise<Buffer | undefined> {
    return this.#inOrder(async () => this.#find(await this.#connect()))
  }

  /**
   * Locks the row, unless it is locked, until it is written or unlocked.
   *
   * @returns the text, if it is another than the one that was read or written last
   * @throws the database's error when it cannot be reached, or when others keep the row for two seconds
   */
  lock(): Promise<Buffer | undefined> {
    return this.#inOrder(async () => {
      if (this.#locked !== undefined) return undefined
      try {
        return await this.#lock(await this.#connect())
      } catch {
        // The connection may have been lost unnoticed. The error of a new one is the one that counts.
        this.#giveUp(this.#client)
        const client = await this.#connect()
        await client.query(END_STOPPED)
        return this.#lock(client)
      }
    })
  }

  /**
   * Writes the text into the locked row, and unlocks it.
   *
   * @throws the database's error; the row may have been written all the same, which {@link wasWritten} tells after the
   *   next {@link lock}
   */
  write(text: Buffer): Promise<void> {
    return this.#inOrder(async () => {
      const mark = randomUUID()
      this.#marks = { set: mark, replaced: this.#mark }
      const client = this.#locked
      this.#locked = undefined
      if (client === undefined) throw new Error('the connection was lost')
      const update = `UPDATE mock SET version = version + 1, mark = $1, data = $2 WHERE ${STAMP} = $3`
      const [written] = rowsOf(
        await client.query(`${update} RETURNING ${STAMP} AS stamp`, [mark, text, this.#stamp]),
      )
      if (written === undefined) throw new Error('its lock was lost')
      await client.query('NOTIFY mock; COMMIT')
      this.#stamp = String(written.stamp)
      this.#mark = mark
    })
  }

  /** Whether this server has locked the row. */
  get isLocked(): boolean {
    return this.#locked !== undefined
  }

  /** Whether the last write of this server was made; undefined where others have written since. */
  get wasWritten(): boolean | undefined {
    if (this.#mark === this.#marks.set) return true
    return this.#mark === this.#marks.replaced ? false : undefined
  }

  /** It never fails: a lost connection has unlocked the row by itself. */
  unlock(): Promise<void> {
    return this.#inOrder(async () => {
      const client = this.#locked
      this.#locked = undefined
      await client?.query('ROLLBACK')
    }).catch(() => {})
  }

  /** Ends the connection, and what is under way on it. */
  close(): Promise<void> {
    return this.#giveUp(this.#client)
  }

  /** A connection on which something has failed is given up. */
  #inOrder<Value>(ask: () => Promise<Value>): Promise<Value> {
    const asked = this.#last.then(ask).catch((error: unknown) => {
      this.#giveUp(this.#client)
      throw error
    })
    this.#last = asked.catch(() => {})
    return asked
  }

  async #lock(client: Client): Promise<Buffer | undefined> {
    const begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL lock_timeout = ${LONGEST_WAIT};
      SET LOCAL idle_in_transaction_session_timeout = ${LONGEST_STOP};`
    const found = await this.#find(client, begin, 'FOR UPDATE')
    this.#locked = client
    return found
  }

  async #find(client: Client, before = '', after = ''): Promise<Buffer | undefined> {
    const newer = `CASE WHEN ${STAMP} <> '${this.#stamp}' THEN data END`
    const result = await client.query(
      `${before} SELECT mark, ${STAMP} AS stamp, ${newer} AS text FROM mock ${after}`,
    )
    const [row] = rowsOf(result)
    if (row === undefined) throw new Error('the table "mock" is empty')
    this.#stamp = String(row.stamp)
    this.#mark = String(row.mark)
    return typeof row.text === 'string' ? Buffer.from(row.text) : undefined
  }

  async #connect(): Promise<Client> {
    if (this.#client !== undefined) return this.#client
    const { url, first } = this.#options
    const client = new (loadClient())({
      connectionString: url,
      application_name: APPLICATION,
      connectionTimeoutMillis: 3000,
      query_timeout: 6000,
      // What is between here and the database may drop a connection that is idle.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    this.#client = client
    client.on('error', () => this.#giveUp(client))
    await client.connect()
    client.on('notification', ({ processId }) => processId !== client.processID && this.emit('news'))
    const [found] = rowsOf(await client.query(FIND_COLUMNS))
    if (found?.columns === null) await client.query(CREATE)
    else if (found?.columns !== COLUMNS)
      throw new DataError(
        'The database has a table "mock" of another kind: rename it, or name another database.',
      )
    const kept = rowsOf(await client.query(`LISTEN mock; SELECT id FROM mock WHERE data <> '{}'`))
    if (kept.length === 0) await client.query(FILL, [first()])
    return client
  }

  async #giveUp(client: Client | undefined): Promise<void> {
    if (client === undefined) return
    if (client === this.#client) this.#client = undefined
    if (client === this.#locked) this.#locked = undefined
    await client.end().catch(() => {})
  }
}

/** The rows of the last statement. */
function rowsOf(result: Result | Result[]): Result['rows'] {
  return [result].flat().at(-1)?.rows ?? []
}

/** @throws DataError when the package is not installed, in the working folder or beside this one */
function loadClient(): typeof Client {
  try {
    const pg: typeof import('pg') = require(require.resolve('pg', { paths: [process.cwd(), __dirname] }))
    return pg.Client
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    throw new DataError('PostgreSQL needs the package pg: run npm install pg.')
  }
}
