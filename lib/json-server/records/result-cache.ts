/** How many results are cached: they take less memory than the records. */
const MOST_RESULTS = 4

/** Milliseconds after which results that nobody has used are dropped. */
const UNUSED_TIME = 60_000

/**
 * Caches results computed from the records of a collection, such as their order, until it changes.
 */
export class ResultCache {
  /** The least recently used comes first. */
  readonly #results = new Map<string, unknown>()
  #expiry: NodeJS.Timeout | undefined

  /** The cached result, or the result of the work. The caller must not change it. */
  get(key: string, work: () => unknown): unknown {
    const result = this.#results.has(key) ? this.#results.get(key) : work()
    this.#results.delete(key)
    this.#results.set(key, result)
    const [oldest = key] = this.#results.keys()
    if (this.#results.size > MOST_RESULTS) this.#results.delete(oldest)
    this.#expiry ??= clearLater(new WeakRef(this.#results))
    this.#expiry.refresh()
    return result
  }

  /** Called when the collection has changed. */
  clear(): void {
    this.#results.clear()
  }
}

/** The weak reference lets the records of data that was reloaded be freed before the timer ends. */
function clearLater(results: WeakRef<Map<string, unknown>>): NodeJS.Timeout {
  return setTimeout(() => results.deref()?.clear(), UNUSED_TIME).unref()
}
