/** How many values are remembered of a collection: clients choose the names of fields. */
const MOST_REMEMBERED = 20

const known = new WeakMap<readonly unknown[], Map<string, unknown>>()

/**
 * What is made of a collection, once: a request that changes one puts another array in its place.
 *
 * @param key names what is made, and never the same for another kind of value
 */
export function derived<Value>(collection: readonly unknown[], key: string, make: () => Value): Value {
  const values = known.get(collection) ?? new Map<string, Value>()
  known.set(collection, values)
  const value = values.has(key) ? (values.get(key) as Value) : make()
  if (values.size >= MOST_REMEMBERED) values.clear()
  values.set(key, value)
  return value
}
