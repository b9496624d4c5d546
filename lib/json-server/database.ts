import type { Database } from 'json-server'
import type { DataSource } from '../data/data-source'
import type { Data } from '../data/valid-data'
import { errorMessage } from '../error-code'

/** What code that is not ours has put in the place of functions of the database. */
export interface Replaced {
  /** Makes the id of a new record. */
  readonly createId?: (collection: readonly unknown[], record: object) => unknown
  /** Stores the state, or does not. */
  readonly write?: () => unknown
}

/** A database for code that is not ours. */
export interface OpenDatabase {
  readonly database: Database
  readonly replaced: () => Replaced
}

/**
 * json-server's own database, with all its functions, over the source: for code that is not ours, such as a
 * user's middleware.
 *
 * - `setState` takes effect at once and is saved; `write` saves what was changed in place, and returns a
 *   promise, as with json-server's data files.
 * - `read` reloads what others have written to the file.
 */
export function openDatabase(data: DataSource, idProperty: string): OpenDatabase {
  const { db } = jsonServer().router({})
  // lowdb keeps the state in this property of a lodash wrapper. It is always the state of the source, so that
  // the two cannot differ.
  Object.defineProperty(db, '__wrapped__', {
    get: () => data.state,
    set: (state: Data) => {
      data.replace(state)
      db.write()
    },
  })
  db._.id = idProperty
  db.write = write
  db.read = () => reported(read())
  const { createId } = db._
  return {
    database: db,
    replaced: () => ({
      ...(db._.createId !== createId && { createId: (...given) => db._.createId(...given) }),
      ...(db.write !== write && { write: () => db.write() }),
    }),
  }

  function write(value?: unknown): unknown {
    return reported(data.commit(data.state).then(() => value))
  }

  async function read(): Promise<Database> {
    await data.refresh()
    return db
  }
}

/**
 * Loads all of json-server with the first use of its database: it takes a fifth of the processor time for all
 * other modules, and only its routers are needed otherwise.
 */
function jsonServer(): typeof import('json-server').default {
  return require('json-server')
}

/** A caller may ignore these promises, so an error is printed and does not end the process. */
function reported<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch((error: unknown) => console.error(errorMessage(error)))
  return promise
}
