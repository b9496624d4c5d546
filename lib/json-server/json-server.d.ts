/** The parts of json-server 0.17.4 that are used here; it ships no types. */
declare module 'json-server' {
  import type { Router } from 'express'
  import type { Lodash } from 'lodash'

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

  /** What the routers of resources ask of their database. */
  export interface RouterDatabase {
    /** The chain of a resource, or of what is at a path in the data. */
    get(path: string): object | undefined
    /** Replaces a singular resource. */
    set(name: string, content: Record<string, unknown>): Chained | undefined
    /** Stores the state. */
    write(): void
    getState(): unknown
    readonly _: Lodash
  }

  export interface JsonServerRouter extends Router {
    db: Database
  }

  const jsonServer: {
    /** @param data collections and singular resources */
    router(data: object): JsonServerRouter
  }
  export default jsonServer
}

declare module 'json-server/lib/server/router/plural' {
  import type { Router } from 'express'
  import type { RouterDatabase } from 'json-server'

  /** The router of a collection: `/` and `/:id`. */
  export default function plural(
    database: RouterDatabase,
    name: string,
    options: { foreignKeySuffix: string },
  ): Router
}

declare module 'json-server/lib/server/router/singular' {
  import type { Router } from 'express'
  import type { RouterDatabase } from 'json-server'

  /** The router of a singular resource: `/`. */
  export default function singular(database: RouterDatabase, name: string, options: object): Router
}

declare module 'json-server/lib/server/router/nested' {
  import type { Router } from 'express'

  /** The router of `/:resource/:id/:nested`. */
  export default function nested(options: { foreignKeySuffix: string }): Router
}

/** The parts that are used here; `id`, `createId` and `deepQuery` are there once they are mixed in. */
declare module 'lodash' {
  /** A chain, by its end. */
  export interface Chain {
    value(): unknown
  }

  export interface Lodash {
    /** The name of the id property. */
    id: string
    chain(value: unknown): Chain
    clone<Value>(value: Value): Value
    cloneDeep<Value>(value: Value): Value
    createId(collection: readonly unknown[], record?: object): unknown
    /** Whether a value, or one in it at any depth, has this text in lower case. */
    deepQuery(value: unknown, text: string): unknown
    filter(collection: readonly unknown[], query: object): unknown[]
    get(object: unknown, path: string): unknown
    has(object: unknown, path: string): boolean
    memoize<Result>(make: (key: string) => Result): (key: string) => Result
    mixin(functions: object): void
    orderBy(
      collection: readonly unknown[],
      fields: readonly string[],
      directions: readonly string[],
    ): unknown[]
    /** A copy: what is mixed into it is not in lodash itself. */
    runInContext(): Lodash
  }
}
