import { matchesPath } from '../path-pattern'
import { blankedJson } from './blanked-json'
import { JOURNAL_LIMITS } from './facts'
import { textSize } from './memory/heap-size'

/** What an entry takes beside its texts, in bytes: the objects that hold them. */
const ENTRY = 200

/** A request as it was sent. */
export interface Asked {
  method: string
  path: string
  query: unknown
}

/** What a journal says of a request. */
export interface JournalEntry extends Asked {
  /** As it was parsed; null where nothing was. Not there where it is too large. */
  body?: unknown
  /** 0 where no response went out. */
  status: number
  /** Whether the body is too large to be kept. */
  truncated?: true
}

/** Which entries are asked for. */
export interface JournalFilter {
  method?: string
  /** A path, or a pattern as in a rule for faults. */
  path?: string
}

/** A request as it is kept. */
interface Entry {
  readonly method: string
  readonly path: string
  /** As text, because whoever handles the request may change the values. */
  readonly query: string
  /** Undefined for one that is too large. */
  body: string | undefined
  /** In bytes, with all texts. */
  size: number
  status: number
}

/** The last requests of a sandbox, in the order in which they arrived. */
export class Journal {
  readonly #entries = new Set<Entry>()
  #size = 0

  /** @param hasRoom whether the server keeps so many bytes more: the oldest entries go where it does not */
  constructor(private readonly hasRoom: (added: number) => boolean) {}

  /** What it takes in memory at most, in bytes. */
  get size(): number {
    return this.#size
  }

  /** Adds a request that has no body and no response yet. */
  add({ method, path, query }: Asked): Entry {
    const entry: Entry = { method, path, query: blankedJson(query), body: 'null', size: 0, status: 0 }
    this.#entries.add(entry)
    // The path may be a part of the address, which then stays in memory as a whole.
    this.#grow(entry, ENTRY + textSize(path) + 2 * textSize(entry.query))
    return entry
  }

  /**
   * Adds the body to a request, unless its entry has had to go.
   *
   * @param length bytes that it was sent in, as far as that is known
   */
  keepBody(entry: Entry, body: unknown, length: number): void {
    if (!this.#entries.has(entry)) return
    // Not even made a text when it is too large.
    entry.body = length > JOURNAL_LIMITS.size ? undefined : blankedJson(body)
    const size = entry.body === undefined ? 0 : textSize(entry.body)
    if (entry.size + size > JOURNAL_LIMITS.size) entry.body = undefined
    else this.#grow(entry, size)
  }

  /** The entries that the filter leaves, oldest first. */
  list({ method, path }: JournalFilter = {}): JournalEntry[] {
    return [...this.#entries]
      .filter((entry) => method === undefined || entry.method === method.toUpperCase())
      .filter((entry) => path === undefined || matchesPath(path, entry.path))
      .map(({ method, path, query, body, status }) => ({
        method,
        path,
        query: JSON.parse(query),
        ...(body === undefined ? { status, truncated: true } : { body: JSON.parse(body), status }),
      }))
  }

  #grow(entry: Entry, size: number): void {
    for (const oldest of this.#entries) {
      const isRoomy =
        this.#size + size <= JOURNAL_LIMITS.size && this.#entries.size <= JOURNAL_LIMITS.requests
      if (isRoomy && this.hasRoom(size)) break
      this.#entries.delete(oldest)
      this.#size -= oldest.size
    }
    if (!this.#entries.has(entry)) return
    entry.size += size
    this.#size += size
  }
}
