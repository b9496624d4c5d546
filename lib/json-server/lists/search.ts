import { HttpError } from '../../errors'
import { TimeIsUp, TimeLimit } from '../../time-limit'

/**
 * Milliseconds of processor time for all filters of a request together: every other request waits meanwhile.
 */
const TIME_LIMIT = 250

/** Shared by the filters and the order of one request: its query, the time it has left, its results. */
export class Search {
  readonly #limit = new TimeLimit(TIME_LIMIT)
  readonly #results = new Map<object, { collection: readonly unknown[]; result: unknown }>()

  /** @param query from which json-server removes the parameters that are not filters */
  constructor(readonly query: object) {}

  /**
   * Computes the result of a function in a lodash chain once: json-server evaluates the chain of a page three
   * times, and each time it calls the function with the same objects.
   *
   * @param parameter the other parameter of the function, an object that only this chain has
   */
  once(collection: readonly unknown[], parameter: object, work: () => unknown): unknown {
    const known = this.#results.get(parameter)
    if (known?.collection === collection) return known.result
    const result = work()
    this.#results.set(parameter, { collection, result })
    return result
  }

  /**
   * Runs a filter in the time that the request has left.
   *
   * @throws HttpError 400 when that time is up, or a regular expression is not valid or overflows the stack
   */
  inTime(work: () => unknown): unknown {
    try {
      return this.#limit.run(work)
    } catch (error) {
      throw explained(error)
    }
  }
}

/**
 * Holds the search of the request that is being handled, because json-server calls lodash's functions without
 * naming the request.
 */
export class CurrentSearch {
  #search: Search | undefined

  /** The search of the current request, or a new one for a call outside of any request. */
  get(): Search {
    return this.#search ?? new Search({})
  }

  /**
   * @param handle handles the request; json-server makes a list, or a record with its relations, before this
   *   call returns
   */
  during(query: object, handle: () => void): void {
    const outer = this.#search
    this.#search = new Search(query)
    try {
      handle()
    } finally {
      this.#search = outer
    }
  }
}

function explained(error: unknown): unknown {
  if (error instanceof SyntaxError)
    return new HttpError({
      status: 400,
      message:
        'The regular expression in "_like" is not valid: put a backslash before each special character.',
    })
  // The stack is too small to compile or to run the regular expression.
  if (error instanceof RangeError)
    return new HttpError({
      status: 400,
      message: 'The regular expression in "_like" is nested too deeply: simplify it.',
    })
  if (error instanceof TimeIsUp)
    return new HttpError({
      status: 400,
      message: 'The filters of this query take too long on this data: use fewer or simpler ones.',
    })
  return error
}
