import type { Request, Response, Router } from 'express'
import type { RouterDatabase } from 'json-server'
import type nested from 'json-server/lib/server/router/nested'
import type plural from 'json-server/lib/server/router/plural'
import type singular from 'json-server/lib/server/router/singular'
import { passOnAtOnce } from '../http/express/pass-on-at-once'
import type { StoredRecord } from './collection-index'
import type { Relation } from './id-lists'
import { lodash } from './lodash'
import type { Transaction } from './transaction'

/** A request for a resource. */
export interface Exchange {
  readonly request: Request
  readonly response: Response
  /** The data that the request reads and changes. */
  readonly transaction: Transaction
  /** Where its path goes through a record to those that refer to it. */
  readonly relation?: Relation | undefined
}

/** Loaded with the first request for a resource. */
const makers = (): { nested: typeof nested; plural: typeof plural; singular: typeof singular } => ({
  nested: require('json-server/lib/server/router/nested'),
  plural: require('json-server/lib/server/router/plural'),
  singular: require('json-server/lib/server/router/singular'),
})

/**
 * json-server's own routers, one for each name of a resource, made in 0.1 ms when it is first asked for. The
 * public `router()` of json-server would take a name for a pattern (`a(b` throws), and send the stack of an
 * error.
 */
export class Routers {
  /** `/:resource/:id/:nested`: changes the request to one for `/:nested`. */
  #nested: Router | undefined
  /** By name, each with whether it is a collection: that may change with the data. */
  readonly #ofResources = new Map<string, Router>()
  /** What the routers read and change. */
  readonly #database: RouterDatabase
  /** The transaction of the request for which a router of a resource was called last, until it is released. */
  #transaction: Transaction | undefined

  readonly #options: { foreignKeySuffix: string }

  /** @param options `foreignKeySuffix`: what ends the name of a foreign key */
  constructor(options: { foreignKeySuffix: string }) {
    this.#options = options
    this.#database = {
      get: (path: string) => this.#transaction?.get(path),
      set: (name: string, content: StoredRecord) => this.#transaction?.set(name, content),
      // Resources commits the changes, and `removeById` removes the records that refer to another.
      write: () => {},
      getState: () => undefined,
      get _() {
        return lodash()
      },
    }
  }

  /**
   * Calls the router of nested paths.
   *
   * @returns whether it has passed the request on; otherwise it responds, as to OPTIONS
   * @throws what the router passes on as an error
   */
  callNested({ request, response }: Exchange): boolean {
    this.#nested ??= withoutWaiting(makers().nested(this.#options))
    return callRouter(this.#nested, request, response)
  }

  /**
   * Calls the router of a resource, for the path after its name.
   *
   * @returns and throws as {@link callNested} does
   */
  call(name: string, isCollection: boolean, { request, response, transaction }: Exchange): boolean {
    this.#transaction = transaction
    return callRouter(this.#ofResource(name, isCollection), request, response)
  }

  /**
   * Forgets the transaction of the last {@link call}: it holds records, which must not stay in memory when they are deleted.
   * A `finally` around a call in limited time would not run.
   */
  release(): void {
    this.#transaction = undefined
  }

  #ofResource(name: string, isCollection: boolean): Router {
    const key = `${isCollection} ${name}`
    const known = this.#ofResources.get(key)
    if (known !== undefined) return known
    const make = isCollection ? makers().plural : makers().singular
    const router = withoutWaiting(make(this.#database, name, this.#options))
    this.#ofResources.set(key, router)
    return router
  }
}

/** Makes a router of json-server call its handlers, and what comes after them, before it returns. */
function withoutWaiting(router: Router): Router {
  // json-server's first layer waits, at least a millisecond. `_delay` is read by a step of its own.
  router.stack.shift()
  return passOnAtOnce(router)
}

/** Calls a router: whether it has passed the request on. Throws the error that it has passed on. */
function callRouter(router: Router, request: Request, response: Response): boolean {
  let hasPassedOn = false
  let failure: unknown
  router(request, response, (error: unknown) => {
    hasPassedOn = true
    failure = error
  })
  if (failure) throw failure
  return hasPassedOn
}
