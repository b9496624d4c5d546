/** The parts of json-server 0.17.4 that are used here; it ships no types of its own. */
declare module 'json-server' {
  import type { Router } from 'express'

  /** A lowdb 1 database. */
  export interface Database {
    /** Its own copy of lodash. */
    _: {
      /** The name of the id property. */
      id: string
      mixin(functions: object): void
      createId(collection: unknown): unknown
      filter(collection: unknown, predicate: unknown): unknown
      get(object: unknown, path: string): unknown
      has(object: unknown, path: string): boolean
      map(collection: readonly unknown[], path: string): unknown[]
      orderBy(collection: unknown, paths: unknown, orders: unknown): unknown
    }
    /** Reads the state again from where it is stored. */
    read(): unknown
    /** Stores the state, and gives the value, or a promise of it. */
    write(value?: unknown): unknown
  }

  export interface JsonServerRouter extends Router {
    db: Database
  }

  const jsonServer: {
    router(data: object, options: { foreignKeySuffix: string }): JsonServerRouter
  }
  export default jsonServer
}

declare module 'json-server/package.json' {
  export const version: string
}
