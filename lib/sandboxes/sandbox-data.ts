import { type Data, MemoryData } from '../data/data-source'

/** Characters of JSON that one change adds at most: a request's body has up to 10 MB. */
const LARGEST_CHANGE = 10 * 1024 * 1024

/** The data of one sandbox. It knows its length, so that all sandboxes together can be kept within a limit. */
export class SandboxData extends MemoryData {
  readonly #beforeChange: () => void
  #length: number
  #unmeasured = 0

  /**
   * @param beforeChange throws when there is no room for a change
   * @throws DataError when json-server could not serve the data
   */
  constructor(data: Data, beforeChange: () => void) {
    super(data, { isShared: false })
    this.#beforeChange = beforeChange
    this.#length = JSON.stringify(data).length
  }

  /** The greatest length that the JSON of the data can have, in characters, without reading the data. */
  get greatestLength(): number {
    return this.#length + this.#unmeasured * LARGEST_CHANGE
  }

  /** The length of the JSON of the data, in characters. */
  measure(): number {
    if (this.#unmeasured > 0) this.#length = JSON.stringify(this.state).length
    this.#unmeasured = 0
    return this.#length
  }

  override refresh(): void {
    this.#beforeChange()
  }

  override commit(): Promise<void> {
    this.#unmeasured += 1
    return super.commit()
  }
}
