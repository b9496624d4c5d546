import { formatDuration } from '../../auth/format-duration'
import { HttpError } from '../../errors'
import type { SandboxLimits } from '../limits'

/** Seconds after which a client may try again to begin a sandbox. */
const RETRY_AFTER = 60

/** The parts of a sandbox that are counted. */
interface Counted {
  readonly name: string
  readonly journal: { readonly size: number }
  readonly data: {
    /** The greatest size that the data can have, in bytes, without reading it. */
    readonly greatestSize: number
    /** The size, in bytes, from reading the data. */
    measure(): number
  }
}

/** Keeps all sandboxes together within their limits. */
export class Room {
  /** @param sandboxes all current sandboxes, by name */
  constructor(
    private readonly sandboxes: ReadonlyMap<string, Counted>,
    private readonly limits: SandboxLimits,
  ) {}

  /**
   * Whether there is room. Measures the data only if it could have grown beyond the limit, and stops as soon
   * as the answer is known.
   *
   * @param added further bytes for all sandboxes together
   * @param replaced the name of the sandbox, if any, whose data is replaced
   */
  has(added: number, replaced?: string): boolean {
    const { size: limit } = this.limits
    const others = [...this.sandboxes.values()].filter(({ name }) => name !== replaced)
    let size = others.reduce((sum, { data, journal }) => sum + data.greatestSize + journal.size, added)
    for (const { data } of others) {
      if (size <= limit) return true
      size -= data.greatestSize
      size += data.measure()
    }
    return size <= limit
  }

  /**
   * The parameters are those of `has`.
   *
   * @throws HttpError 503 when there is no room
   */
  require(added: number, replaced?: string): void {
    if (!this.has(added, replaced))
      throw this.#noRoom('The sandboxes together have more data than the server keeps.')
  }

  /**
   * Called before a sandbox begins.
   *
   * @param added bytes that it will take, as far as that is known
   * @throws HttpError 503 when there is no room
   */
  admit(name: string, added: number): void {
    if (this.sandboxes.size >= this.limits.count && !this.sandboxes.has(name))
      throw this.#noRoom(`There are already ${this.limits.count} sandboxes.`)
    this.require(added, name)
  }

  #noRoom(reason: string): HttpError {
    return new HttpError({
      status: 503,
      message:
        `${reason} Forget one with DELETE /__sandbox; ` +
        `one that is not used for ${formatDuration(this.limits.idleTime / 1000)} is forgotten automatically.`,
      headers: { 'Retry-After': String(RETRY_AFTER) },
    })
  }
}
