import { nearestName } from '../../data/nearest-name'
import { type Data, DataError } from '../../data/valid-data'

/** How much of a name a sentence repeats, in characters. */
const LONGEST_REPEATED = 100

/**
 * The data as it was loaded, as text: the data itself is changed in place. Its copies have what clients see
 * of it, so a function is left out, and a Date is a text.
 */
export class LoadedData {
  readonly #texts: ReadonlyMap<string, string>

  constructor(data: Data) {
    this.#texts = new Map(Object.entries(data).map(([name, resource]) => [name, JSON.stringify(resource)]))
  }

  /** A copy of one resource, or undefined if there is none of this name. */
  copy(name: string): unknown {
    const text = this.#texts.get(name)
    return text === undefined ? undefined : JSON.parse(text)
  }

  /**
   * A copy in which these resources replace those of the same name.
   *
   * @throws DataError when there is none of the same name
   */
  copyWith(others: Data): Data {
    const names = [...this.#texts.keys()]
    const unknown = Object.keys(others).find((name) => !this.#texts.has(name))
    if (unknown !== undefined) throw new DataError(noSuchName(unknown.slice(0, LONGEST_REPEATED), names))
    return Object.fromEntries(
      names.map((name) => [name, Object.hasOwn(others, name) ? others[name] : this.copy(name)]),
    )
  }
}

function noSuchName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const meant = nearest === undefined ? '.' : `: did you mean "${nearest.slice(0, LONGEST_REPEATED)}"?`
  return `There is no "${name}"${meant} To begin with an empty one, add "${name}": [] to the data file.`
}
