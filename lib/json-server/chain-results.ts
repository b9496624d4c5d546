/**
 * The results of the functions in a chain of lodash's. json-server evaluates the chain of a page three times in one tick, and
 * each time it calls these functions with the same objects.
 */
export class ChainResults {
  readonly #results = new WeakMap<object, { collection: readonly unknown[]; result: unknown }>()

  /**
   * The result of a function in a chain, worked out once.
   *
   * @param parameter what the function is called with beside the collection: an object that only this chain has
   */
  get(collection: readonly unknown[], parameter: object, work: () => unknown): unknown {
    const known = this.#results.get(parameter)
    if (known?.collection === collection) return known.result
    const result = work()
    this.#results.set(parameter, { collection, result })
    return result
  }
}
