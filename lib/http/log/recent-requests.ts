import type { ServerResponse } from 'node:http'
import { EventStream, eventText } from '../event-stream'
import { whenClosed } from '../when-closed'

/** How many requests are kept for those who begin to watch, and how much of each target. */
const MOST = { requests: 200, target: 2000 }

/** What the log says of a request. */
export interface LoggedRequest {
  /** The sandbox that it was for. */
  readonly sandbox: string | undefined
  readonly method: string
  /** Without the secrets that it may hold, and with the path to which the rewrite rules have led it. */
  readonly target: string
  /** Undefined where no response was sent. */
  readonly status: number | undefined
  /** Milliseconds. */
  readonly time: number
  /** The length of the body, in bytes, as the response says it. */
  readonly length: string
  /** Why it was refused, or has failed. */
  readonly reason: string | undefined
}

/** A request as the page shows it. */
interface RecentRequest extends Omit<LoggedRequest, 'length'> {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Whether the page has sent it that shows the requests. */
  readonly page: boolean
}

interface Entry {
  readonly shown: RecentRequest
  /** Whose it is, where others do not see it; undefined for nobody's. */
  readonly viewer: string | undefined
}

/** What somebody may see: the requests of a sandbox alone where they name one, and of other people none. */
export interface SeenRequests {
  readonly sandbox: string | undefined
  /** Undefined where everybody sees all. */
  readonly viewer: string | undefined
}

interface Watcher {
  readonly stream: EventStream
  readonly seen: SeenRequests
}

/** The last requests of a server as its log has them, for those who watch them as they come. */
export class RecentRequests {
  #recent: Entry[] = []
  readonly #watchers = new Set<Watcher>()
  #waiting: Entry[] = []

  /**
   * @param isOfPage whether the page has sent it that shows the requests
   * @param viewer whose it is, where others do not see it
   */
  add(
    { sandbox, method, target, status, time, reason }: LoggedRequest,
    isOfPage: boolean,
    viewer?: string,
  ): void {
    const short = target.slice(0, MOST.target)
    const shown = { at: Date.now(), sandbox, method, target: short, status, time, reason, page: isOfPage }
    const entry = { shown, viewer }
    this.#recent.push(entry)
    if (this.#recent.length >= 2 * MOST.requests) this.#recent = this.#recent.slice(-MOST.requests)
    if (this.#watchers.size === 0) return
    // Those of one turn of the event loop are sent together, and to watch costs the others little.
    if (this.#waiting.length === 0) setImmediate(this.#send)
    this.#waiting.push(entry)
  }

  /** Those that are kept, oldest first. */
  list(seen: SeenRequests): RecentRequest[] {
    return seenBy(seen, this.#recent.slice(-MOST.requests))
  }

  /** Sends those that are kept, and each further one. */
  stream(response: ServerResponse, seen: SeenRequests, mayStay: () => boolean): void {
    const first = Buffer.from(eventText('loaded', this.list(seen)))
    const watcher = { stream: new EventStream(response, first, mayStay), seen }
    this.#watchers.add(watcher)
    whenClosed(response, () => this.#watchers.delete(watcher))
  }

  readonly #send = (): void => {
    const entries = this.#waiting
    this.#waiting = []
    for (const { stream, seen } of this.#watchers) {
      const shown = seenBy(seen, entries)
      if (shown.length > 0) stream.send(Buffer.from(eventText('requests', shown)))
    }
  }
}

function seenBy({ sandbox, viewer }: SeenRequests, entries: readonly Entry[]): RecentRequest[] {
  const isSeen = (entry: Entry) =>
    (sandbox === undefined || entry.shown.sandbox === sandbox) &&
    (viewer === undefined || viewer === 'all' || entry.viewer === undefined || entry.viewer === viewer)
  return entries.filter(isSeen).map(({ shown }) => shown)
}
