import { pathMatcher } from '../path-pattern'
import { blankedJson } from './blanked-json'
import { JOURNAL_LIMITS } from './limits'

const textSize = (text: string) => text.length

/** The bytes that an entry takes besides its texts: the objects that hold them. */
const ENTRY = 200

/** A request as it was sent. */
export interface Asked {
  method: string
  path: string
  query: unknown
}

/** What a journal says about a request. */
export interface JournalEntry extends Asked {
  /** The parsed body; null if none was parsed. Absent if it is too large, or cannot be kept. */
  body?: unknown
  /** 0 if no response was sent. */
  status: number
  /** Whether the body is not kept. */
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
  /** As text, because a handler of the request may change the values. */
  readonly query: string
  /** Undefined if it is not kept. */
  body: string | undefined
  /** In bytes, with all texts. */
  size: number
  status: number
}

/** The last requests of a sandbox, in the order in which they arrived. */
export class Journal {
  readonly #entries = new Set<Entry>()
  #size = 0

  /** @param hasRoom whether the server has room for that many more bytes; if not, the oldest entries go */
  constructor(private readonly hasRoom: (added: number) => boolean) {}

  /** The most memory that it can take, in bytes. */
  get size(): number {
    return this.#size
  }

  /** Adds a request that has no body and no response yet. */
  add({ method, path, query }: Asked): Entry {
    const entry: Entry = { method, path, query: jsonOf(query) ?? '{}', body: 'null', size: 0, status: 0 }
    this.#entries.add(entry)
    // The path may be a slice of the URL, which would then stay in memory as a whole.
    this.#grow(entry, ENTRY + textSize(path) + 2 * textSize(entry.query))
    return entry
  }

  /** Adds the body to a request, unless its entry was removed to make room. */
  keepBody(entry: Entry, body: unknown): void {
    if (!this.#entries.has(entry)) return
    entry.body = jsonOf(body)
    const size = entry.body === undefined ? 0 : textSize(entry.body)
    if (entry.size + size > JOURNAL_LIMITS.size) entry.body = undefined
    else this.#grow(entry, size)
  }

  /** The entries that match the filter, oldest first. */
  list({ method, path }: JournalFilter = {}): JournalEntry[] {
    const matches = path === undefined ? () => true : pathMatcher(path)
    return [...this.#entries]
      .filter((entry) => method === undefined || entry.method === method.toUpperCase())
      .filter((entry) => matches(entry.path))
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

function jsonOf(value: unknown): string | undefined {
  return blankedJson(value, JOURNAL_LIMITS.size)
}
