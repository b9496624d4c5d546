import { pathMatcher } from '../../auth/path-pattern'
import { JOURNAL_LIMITS } from './limits'

/** A request as it was sent. */
export interface Asked {
  method: string
  path: string
  /** The path behind the rewrite rules, if that is another one. */
  rewritten?: string
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
  readonly asked: Omit<Asked, 'query'>
  /** As text, because a handler of the request may change the values. */
  readonly query: Buffer
  /** Undefined if it is not kept. */
  body: Buffer | undefined
  /** The length of its texts. */
  size: number
  status: number
}

/** The last requests of a sandbox, in the order in which they arrived. */
export class Journal {
  readonly #entries = new Set<Entry>()
  #size = 0

  /** Adds a request that has no body and no response yet. */
  add({ query, ...asked }: Asked): Entry {
    const text = textOf(query) ?? Buffer.from('{}')
    const entry: Entry = { asked, query: text, body: Buffer.from('null'), size: 0, status: 0 }
    this.#entries.add(entry)
    this.#grow(entry, asked.path.length + (asked.rewritten?.length ?? 0) + text.length)
    return entry
  }

  /** Adds the body to a request, unless its entry was removed to make room. */
  keepBody(entry: Entry, body: unknown): void {
    if (!this.#entries.has(entry)) return
    entry.body = textOf(body)
    const size = entry.body?.length ?? 0
    if (entry.size + size > JOURNAL_LIMITS.size) entry.body = undefined
    else this.#grow(entry, size)
  }

  /** The entries that match the filter, oldest first. */
  list({ method, path }: JournalFilter = {}): JournalEntry[] {
    const matches = path === undefined ? () => true : pathMatcher(path)
    return [...this.#entries]
      .filter(({ asked }) => method === undefined || asked.method === method.toUpperCase())
      .filter(({ asked }) => matches(asked.path) || matches(asked.rewritten ?? asked.path))
      .map(({ asked, query, body, status }) => ({
        ...asked,
        query: JSON.parse(String(query)),
        ...(body === undefined ? { status, truncated: true } : { body: JSON.parse(String(body)), status }),
      }))
  }

  #grow(entry: Entry, size: number): void {
    entry.size += size
    this.#size += size
    for (const oldest of this.#entries) {
      if (this.#size <= JOURNAL_LIMITS.size && this.#entries.size <= JOURNAL_LIMITS.requests) return
      this.#entries.delete(oldest)
      this.#size -= oldest.size
    }
  }
}

/**
 * A value as JSON, outside of the heap, which is for the data. The values of fields named `password` are
 * blanked.
 *
 * @returns undefined for what JSON cannot hold, or what is nested too deep for it
 */
function textOf(value: unknown): Buffer | undefined {
  const blanked = (name: string, item: unknown) => (name === 'password' ? '***' : item)
  try {
    return Buffer.from(JSON.stringify(value, blanked) ?? 'null')
  } catch {
    // A user's middleware can put any object in the place of a body.
    return undefined
  }
}
