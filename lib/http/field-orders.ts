/**
 * How many different names may follow the same beginning in objects of the same size. After about 1,500, V8
 * turns each further object into a hash table, which takes as long as a new order.
 */
const MOST_FOLLOWERS = 1000

/** An object with more fields is a hash table from the start, whatever their order is. */
const MOST_ORDERED = 127

/**
 * Odd, so that no bit gets lost, and known to no client: names and orders are told apart by hashes, and a
 * client must not be able to make two with the same hash.
 */
const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1

/** Extends a hash by one more number. */
export function mix(hash: number, more = 0): number {
  return Math.imul(hash ^ more, FACTOR) ^ (hash >>> 15)
}

/**
 * Counts the different orders of fields in objects. V8 keeps a description of each order, which objects with
 * the same number of fields share as far as they begin with the same names: a field in a place where its name
 * has not been before takes twenty times as long to parse as a value.
 */
export class FieldOrders {
  /** The names in the objects that are open, and where the names of each object begin. */
  readonly #open: number[] = []
  readonly #starts: number[] = []
  /** For each beginning of an order, how many names have followed it. */
  readonly #followers = new Map<number, number>()
  /** Complete orders that have been seen. */
  readonly #known = new Set<number>()

  /** An object begins. */
  begin(): void {
    this.#starts.push(this.#open.length)
  }

  /**
   * A field of the object that began last.
   *
   * @param name its hash
   */
  add(name: number): void {
    this.#open.push(name)
  }

  /**
   * The object that began last ends.
   *
   * @returns how many of its fields come in a new order
   */
  end(): number {
    const names = this.#open.splice(this.#starts.pop() ?? 0)
    const order = names.reduce(mix, names.length)
    if (this.#known.has(order)) return 0
    const count = names.length > MOST_ORDERED ? 0 : this.#follow(names)
    if (count === 0) this.#known.add(order)
    return count
  }

  /** Follows the order as far as it is known, and then records the rest. */
  #follow(names: readonly number[]): number {
    let count = 0
    let beginning = names.length
    for (const name of names) {
      const longer = mix(beginning, name)
      if (!this.#followers.has(longer)) {
        count += 1
        const followers = (this.#followers.get(beginning) ?? 0) + 1
        if (followers <= MOST_FOLLOWERS) this.#followers.set(beginning, followers).set(longer, 0)
      }
      beginning = longer
    }
    return count
  }
}
