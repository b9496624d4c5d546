/** The parts of json-server 0.17.4 that are used here; it ships no types. */
declare module 'json-server' {
  import type { Router } from 'express'

  /** A copy of lodash with json-server's own functions. */
  export interface Lodash {
    /** The name of the id property. */
    id: string
    chain(value: readonly unknown[]): { cloneDeep(): object }
    createId(collection: unknown): unknown
    /** Whether a value, or one in it at any depth, has this text in lower case. */
    deepQuery(value: unknown, text: string): unknown
    filter(collection: readonly unknown[], query: object): unknown[]
    get(object: unknown, path: string): unknown
    has(object: unknown, path: string): boolean
    mapValues(object: object, change: (value: string) => string): Record<string, string>
    memoize<Result>(make: (key: string) => Result): (key: string) => Result
    orderBy(collection: readonly unknown[], paths: readonly string[], orders: readonly string[]): unknown[]
  }

  /** A lowdb 1 database. */
  export interface Database {
    /** Its own copy of lodash. */
    _: Lodash
    /** Reads the state again from where it is stored. */
    read(): unknown
    /** Stores the state, and gives the value, or a promise of it. */
    write(value?: unknown): unknown
  }

  /** The end of a lodash chain. */
  export interface Chained {
    value(): unknown
  }

  export interface JsonServerRouter extends Router {
    db: Database
  }

  const jsonServer: {
    /**
     * @param data collections and singular resources, or a database of them
     * @param options default: foreign keys end with `Id`
     */
    router(data: object, options?: { foreignKeySuffix: string }): JsonServerRouter
  }
  export default jsonServer
}

declare module 'json-server/package.json' {
  export const version: string
}
