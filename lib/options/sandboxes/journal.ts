import type { Request, Response } from 'express'
import { NOBODY } from '../../auth/user-of-token'
import { REDACTED, withoutTokens } from '../../http/log/redact-target'
import { notesOf } from '../../http/notes'
import { pathMatcher } from '../../http/path-pattern'
import { hasBody } from '../../http/request'
import { whenAnswered } from '../../http/response-end'
import { jsonCopy } from '../../json-copy'
import { isSecretName } from '../../labels'
import { type AskedRequest, isAskedRequest, type RequestFilter } from './protocol'

/** How many requests a journal keeps, and the most bytes of memory that they may take. */
const JOURNAL_LIMITS = { requests: 1000, size: 1024 * 1024 }

/** A request as it was sent, before its body is parsed. */
type Sent = Pick<AskedRequest, 'method' | 'path' | 'rewritten' | 'query'>

/** A request in a journal. */
export interface Entry {
  /**
   * The request as JSON, because a handler of it may change the values. The text is in a buffer, which is no
   * part of the heap: 200 journals may take 1 MB each.
   */
  text: Buffer
  /** 0 if no response was sent. */
  status: number
  /** Which of the rules has acted on it, if one has. */
  faultRule?: number
  /** Whose request it is. */
  readonly viewer: string
}

/** Who sees every request, and whose each is where nobody's are kept from others. */
const ALL_VIEWERS = 'all'

/** The last requests of a sandbox, in the order in which they arrived. */
export class Journal {
  readonly #entries = new Set<Entry>()
  #size = 0

  /**
   * Records a request as it was sent, its parsed body and the status of its response. A browser's preflight names no
   * sandbox, so it is in no journal (Fetch standard, CORS-preflight request).
   *
   * @param rewritten its path after the rewrite rules
   * @param viewer whose request it is
   */
  record(request: Request, response: Response, rewritten: string, viewer = ALL_VIEWERS): void {
    const { method, path, query } = request
    const sent = { method, path, ...(rewritten !== path && { rewritten }), query }
    const entry = this.add(sent, viewer)
    onParsedBody(request, (body) => this.keepBody(entry, sent, body))
    whenAnswered(response, () => {
      if (response.headersSent) entry.status = response.statusCode
      const { faultRule } = notesOf(request)
      if (faultRule !== undefined) entry.faultRule = faultRule
      this.#blank(entry, notesOf(request).passwords ?? [])
    })
  }

  /** Adds a request that has no response yet. */
  add(sent: Sent, viewer = ALL_VIEWERS): Entry {
    const entry = { text: Buffer.alloc(0), status: 0, viewer }
    this.#entries.add(entry)
    this.keepBody(entry, sent, null)
    return entry
  }

  /** Sets the body of a request, unless its entry was removed to make room. */
  keepBody(entry: Entry, sent: Sent, body: unknown): void {
    if (!this.#entries.has(entry)) return
    const text = journalText(sent, body)
    this.#size += text.length - entry.text.length
    entry.text = text
    for (const oldest of this.#entries) {
      if (this.#size <= JOURNAL_LIMITS.size && this.#entries.size <= JOURNAL_LIMITS.requests) return
      this.#entries.delete(oldest)
      this.#size -= oldest.text.length
    }
  }

  /** Blanks what was compared as a password since, whatever its field is called. */
  #blank(entry: Entry, passwords: readonly string[]): void {
    if (passwords.length === 0 || !this.#entries.has(entry)) return
    const blanked = (_name: string, item: unknown) =>
      (typeof item === 'string' || typeof item === 'number') && passwords.includes(String(item))
        ? REDACTED
        : item
    const { query, body, ...rest } = Object(JSON.parse(String(entry.text)))
    const text = Buffer.from(JSON.stringify({ ...rest, ...jsonCopy({ query, body }, blanked) }))
    this.#size += text.length - entry.text.length
    entry.text = text
  }

  /**
   * The requests that match the filter, oldest first.
   *
   * @param viewer who asks for them
   */
  list({ method, path }: RequestFilter = {}, viewer = ALL_VIEWERS): AskedRequest[] {
    const matches = path === undefined ? () => true : pathMatcher(path)
    return [...this.#entries]
      .filter((entry) => viewer === ALL_VIEWERS || (viewer !== NOBODY && entry.viewer === viewer))
      .map(({ text, viewer: _viewer, ...known }) => ({ ...Object(JSON.parse(String(text))), ...known }))
      .filter(isAskedRequest)
      .filter((request) => method === undefined || request.method === method.toUpperCase())
      .filter((request) => matches(request.path) || matches(request.rewritten ?? request.path))
      .map((request) => ('body' in request ? request : { ...request, truncated: true }))
  }
}

/**
 * Calls the listener with the parsed body at the moment of parsing, because a handler may change it later.
 * The property `body` is redefined because anybody may parse it: all that the login, the parsers and a user's
 * middleware have in common is that they set the property.
 */
function onParsedBody(request: Request, listener: (body: unknown) => void): void {
  let body: unknown = request.body
  // A server that contains this one may have parsed the body already.
  let isParsed = body !== undefined && hasBody(request)
  if (isParsed) listener(body)
  Object.defineProperty(request, 'body', {
    configurable: true,
    enumerable: true,
    get: () => body,
    set(value: unknown) {
      // A parser first sets an empty object, even if it then parses nothing (body-parser, lib/types/json.js).
      if (!isParsed && body !== undefined && value !== body) {
        isParsed = true
        listener(value)
      }
      body = value
    },
  })
}

/**
 * A request as JSON, in which the values of fields are blanked whose names mean a secret, as in the log. A
 * body is left out that is too large, or that JSON cannot hold.
 */
function journalText(sent: Sent, body: unknown): Buffer {
  // `JSON.stringify` calls it as a method of what holds the item. The places of an array are no names: to look
  // at those of five million numbers, which a body can hold, would take 17 s.
  function blanked(this: unknown, name: string, item: unknown): unknown {
    return !Array.isArray(this) && isSecretName(name) ? REDACTED : item
  }
  const toText = (request: object) => Buffer.from(withoutTokens(JSON.stringify(request, blanked)))
  try {
    const text = toText({ ...sent, body })
    if (text.length <= JOURNAL_LIMITS.size) return text
  } catch {
    // A user's middleware can put any object in the place of a body.
  }
  return toText(sent)
}
