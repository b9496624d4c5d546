/** How many values of a kind are remembered of a collection: clients choose the fields and the orders. */
const MOST_REMEMBERED = 20

/** Gives what is made of a collection under a key, and makes it if it is not remembered. */
type Derived<Value> = (collection: readonly unknown[], key: string, make: () => Value) => Value

/**
 * Remembers values of one kind, such as indexes, for as long as the collection is there of which they are made.
 * None is ever out of date: a change puts another array in the place of a collection. A value must not lead to its
 * collection: V8 would keep both until it collects the old generation, and a PATCH of 10,000 records cost a quarter more.
 */
export function derived<Value>(): Derived<Value> {
  const known = new WeakMap<readonly unknown[], Map<string, Value>>()
  return (collection, key, make) => {
    const values = known.get(collection) ?? new Map<string, Value>()
    known.set(collection, values)
    const remembered = values.get(key)
    if (remembered !== undefined) return remembered
    const value = make()
    if (values.size >= MOST_REMEMBERED) values.clear()
    values.set(key, value)
    return value
  }
}
