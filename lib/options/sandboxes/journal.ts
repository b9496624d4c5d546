import { isSecretName } from '../../http/log/secret-names'
import { pathMatcher } from '../../http/path-pattern'
import type { AskedRequest, RequestFilter } from './asked-request'

/** How many requests a journal keeps, and the most bytes of memory that they may take. */
const JOURNAL_LIMITS = { requests: 1000, size: 1024 * 1024 }

/** A request as it was sent, before its body is parsed. */
export type Sent = Pick<AskedRequest, 'method' | 'path' | 'rewritten' | 'query'>

/** A request in a journal. */
export interface Entry {
  /**
   * The request as JSON, because a handler of it may change the values. The text is in a buffer, which is no
   * part of the heap: 200 journals may take 1 MB each.
   */
  text: Buffer
  /** 0 if no response was sent. */
  status: number
}

/** The last requests of a sandbox, in the order in which they arrived. */
export class Journal {
  readonly #entries = new Set<Entry>()
  #size = 0

  /** Adds a request that has no response yet. */
  add(sent: Sent, body: unknown = null): Entry {
    const entry = { text: Buffer.alloc(0), status: 0 }
    this.#entries.add(entry)
    this.keepBody(entry, sent, body)
    return entry
  }

  /** Sets the body of a request, unless its entry was removed to make room. */
  keepBody(entry: Entry, sent: Sent, body: unknown): void {
    if (!this.#entries.has(entry)) return
    const text = textOf(sent, body)
    this.#size += text.length - entry.text.length
    entry.text = text
    for (const oldest of this.#entries) {
      if (this.#size <= JOURNAL_LIMITS.size && this.#entries.size <= JOURNAL_LIMITS.requests) return
      this.#entries.delete(oldest)
      this.#size -= oldest.text.length
    }
  }

  /** The requests that match the filter, oldest first. */
  list({ method, path }: RequestFilter = {}): AskedRequest[] {
    const matches = path === undefined ? () => true : pathMatcher(path)
    // `textOf` has made each text from the fields of an `AskedRequest`, except the status.
    return [...this.#entries]
      .map(({ text, status }): AskedRequest => ({ ...JSON.parse(String(text)), status }))
      .filter((request) => method === undefined || request.method === method.toUpperCase())
      .filter((request) => matches(request.path) || matches(request.rewritten ?? request.path))
      .map((request) => ('body' in request ? request : { ...request, truncated: true }))
  }
}

/**
 * A request as JSON, in which the values of fields are blanked whose names mean a secret, as in the log. A
 * body is left out that is too large, or that JSON cannot hold.
 */
function textOf(sent: Sent, body: unknown): Buffer {
  // `JSON.stringify` calls it as a method of what holds the item. The places of an array are no names: to look
  // at those of five million numbers, which a body can hold, would take 17 s.
  function blanked(this: unknown, name: string, item: unknown): unknown {
    return !Array.isArray(this) && isSecretName(name) ? '***' : item
  }
  const toText = (request: object) => Buffer.from(JSON.stringify(request, blanked))
  try {
    const text = toText({ ...sent, body })
    if (text.length <= JOURNAL_LIMITS.size) return text
  } catch {
    // A user's middleware can put any object in the place of a body.
  }
  return toText(sent)
}
