/**
 * Computes the result of a function in a lodash chain once: json-server evaluates the chain of a page three
 * times in one tick, and each time it calls the function with the same objects.
 *
 * @returns a function that gives the result for a collection and the other parameter, an object that only
 *   this chain has
 */
export function chainResults() {
  const results = new WeakMap<object, { collection: readonly unknown[]; result: unknown }>()
  return (collection: readonly unknown[], parameter: object, work: () => unknown): unknown => {
    const known = results.get(parameter)
    if (known?.collection === collection) return known.result
    const result = work()
    results.set(parameter, { collection, result })
    return result
  }
}
