/** The parts of json-server 0.17.4 that are used here; it ships no types. */
declare module 'json-server' {
  import type { Router } from 'express'

  type Fields = Record<string, unknown>

  /**
   * The functions that are mixed into the lodash of a router, in place of lodash's own, lodash-id's and
   * json-server's. The router calls them in a chain, as in `db.get('posts').getById('1').value()`: the value
   * before the call is their first parameter.
   */
  export interface Mixins {
    /** GET of a record; the parent that `_expand` adds. */
    readonly getById: (collection: unknown, id: unknown) => unknown
    /** POST without an id: called by `insert`. */
    readonly createId: (collection: readonly unknown[]) => unknown
    /** POST */
    readonly insert: (collection: unknown[], record: Fields) => unknown
    /** PATCH */
    readonly updateById: (collection: unknown[], id: unknown, changes: Fields) => unknown
    /** PUT */
    readonly replaceById: (collection: unknown[], id: unknown, content: Fields) => unknown
    /** DELETE */
    readonly removeById: (collection: unknown[], id: unknown) => unknown
    /** DELETE: the records whose foreign keys lead nowhere, which are then removed as well. */
    readonly getRemovable: (state: object) => readonly { name: string; id: unknown }[]
    /** PATCH of a singular resource. */
    readonly assign: (resource: Fields, changes: Fields) => unknown
    /** Each filter of a list; the records that `_embed` adds. */
    readonly filter: (collection: unknown, predicate: unknown) => unknown
    /** `_sort` and `_order` */
    readonly orderBy: (
      collection: readonly unknown[],
      paths: readonly string[],
      orders: readonly string[],
    ) => unknown
  }

  /** A lowdb 1 database. */
  export interface Database {
    /** Its own copy of lodash. */
    _: {
      /** The name of the id property. */
      id: string
      mixin(functions: Mixins): void
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
    /** @param options default: foreign keys end with `Id` */
    router(data: object, options?: { foreignKeySuffix: string }): JsonServerRouter
  }
  export default jsonServer
}

declare module 'json-server/package.json' {
  export const version: string
}
