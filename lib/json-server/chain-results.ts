/**
 * Gives the result of a function in a chain of lodash's, worked out once: json-server evaluates the chain of a page three
 * times in one tick, and each time it calls these functions with the same objects.
 *
 * @param parameter what the function is called with beside the collection: an object that only this chain has
 */
export type ChainResults = (collection: readonly unknown[], parameter: object, work: () => unknown) => unknown

export function chainResults(): ChainResults {
  const results = new WeakMap<object, { collection: readonly unknown[]; result: unknown }>()
  return (collection, parameter, work) => {
    const known = results.get(parameter)
    if (known?.collection === collection) return known.result
    const result = work()
    results.set(parameter, { collection, result })
    return result
  }
}
