declare module 'pg' {
  import type { EventEmitter } from 'node:events'

  export interface Result {
    rows: Record<string, unknown>[]
  }

  interface ClientEvents {
    error: [Error]
    notification: [{ processId: number }]
  }

  /** The parts of node-postgres that are used here: it is a dependency only of those who have a database. */
  export class Client extends EventEmitter<ClientEvents> {
    constructor(settings: Record<string, unknown>)
    /** The process of the database that serves this connection. */
    readonly processID: number
    connect(): Promise<void>
    /** Several statements, which have no values, give a result each. */
    query(statements: string, values?: readonly unknown[]): Promise<Result | Result[]>
    end(): Promise<void>
  }
}
