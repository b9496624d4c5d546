/** So many results take less memory than the records that they are about. */
const MOST_RESULTS = 4

/** Milliseconds after which results that nobody has asked for go. */
const UNUSED_TIME = 60_000

/** What was found out about the records of a collection, such as their order: kept until the collection changes. */
export class KeptResults {
  /** The one that was used least recently comes first. */
  readonly #results = new Map<string, unknown>()
  #expiry: NodeJS.Timeout | undefined

  /** A result: the kept one, or what the work gives. Whoever gets it must not change it. */
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
  forget(): void {
    this.#results.clear()
  }
}

/** The timer alone must not keep the records of data that was reloaded. */
function clearLater(results: WeakRef<Map<string, unknown>>): NodeJS.Timeout {
  return setTimeout(() => results.deref()?.clear(), UNUSED_TIME).unref()
}
