import { MemoryData } from '../data/data-source'
import type { Data } from '../data/valid-data'

/** What each sandbox counts beside its data, in bytes. */
const OWN_SIZE = 1024 * 1024

/** What each object and array takes in memory, in bytes: `{}` is only two characters of JSON. */
const OBJECT_SIZE = 64

/** What one change adds at most: a request's body has up to 10 MB and 500,000 objects. */
const LARGEST_CHANGE = 10 * 1024 * 1024 + 500_000 * OBJECT_SIZE

/** The data of one sandbox. It knows its size, so that all sandboxes together can be kept within a limit. */
export class SandboxData extends MemoryData {
  #size: number
  #unmeasured = 0

  /**
   * @param beforeChange throws when there is no room for a change
   * @throws DataError when json-server could not serve the data
   */
  constructor(
    data: Data,
    private readonly beforeChange: () => void,
  ) {
    super(data, { isShared: false })
    this.#size = sizeOf(data)
  }

  /** The greatest size that the data can have, without reading it. */
  get greatestSize(): number {
    return this.#size + this.#unmeasured * LARGEST_CHANGE
  }

  /** The size: the length of the data's JSON, in characters, 64 for each object and array in it, and 1 MB. */
  measure(): number {
    if (this.#unmeasured > 0) this.#size = sizeOf(this.state)
    this.#unmeasured = 0
    return this.#size
  }

  override refresh(): void {
    this.beforeChange()
  }

  override commit(): Promise<void> {
    this.#unmeasured += 1
    return super.commit()
  }
}

/** A bracket in a string counts too: that is simpler, and never too little. */
function sizeOf(data: Data): number {
  const json = JSON.stringify(data)
  return OWN_SIZE + json.length + (json.match(/[[{]/g)?.length ?? 0) * OBJECT_SIZE
}
