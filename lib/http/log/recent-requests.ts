import type { ServerResponse } from 'node:http'
import { EventStream, eventText } from '../event-stream'
import { whenClosed } from '../response-end'

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

/** A request as it is kept: most are never looked at, so that nothing is copied. */
interface KeptRequest {
  readonly logged: LoggedRequest
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Whether the page has sent it that shows the requests. */
  readonly isOfPage: boolean
  /** Whose it is, where others do not see it; undefined for nobody's. */
  readonly viewer: string | undefined
}

/** What somebody may see: the requests of a sandbox alone where they name one, and of other people none. */
interface SeenRequests {
  readonly sandbox: string | undefined
  /** Undefined where everybody sees all. */
  readonly viewer: string | undefined
}

interface RequestWatcher {
  readonly stream: EventStream
  readonly seen: SeenRequests
}

/** The last requests of a server as its log has them, for those who watch them as they come. */
export class RecentRequests {
  #recent: KeptRequest[] = []
  readonly #watchers = new Set<RequestWatcher>()
  #waiting: KeptRequest[] = []

  /**
   * @param isOfPage whether the page has sent it that shows the requests
   * @param viewer whose it is, where others do not see it
   */
  add(logged: LoggedRequest, isOfPage: boolean, viewer?: string): void {
    const kept = { logged, at: Date.now(), isOfPage, viewer }
    this.#recent.push(kept)
    if (this.#recent.length >= 2 * MOST.requests) this.#recent = this.#recent.slice(-MOST.requests)
    if (this.#watchers.size === 0) return
    // Those of one turn of the event loop are sent together, and to watch costs the others little.
    if (this.#waiting.length === 0) setImmediate(this.#send)
    this.#waiting.push(kept)
  }

  /** Those that are kept, oldest first, as the page shows them. */
  list(seen: SeenRequests): object[] {
    return shownTo(seen, this.#recent.slice(-MOST.requests))
  }

  /** Sends those that are kept, and each further one. */
  stream(response: ServerResponse, seen: SeenRequests, mayStay: () => boolean): void {
    const first = Buffer.from(eventText('loaded', this.list(seen)))
    const watcher = { stream: new EventStream(response, first, mayStay), seen }
    this.#watchers.add(watcher)
    whenClosed(response, () => this.#watchers.delete(watcher))
  }

  readonly #send = (): void => {
    const requests = this.#waiting
    this.#waiting = []
    for (const { stream, seen } of this.#watchers) {
      const shown = shownTo(seen, requests)
      if (shown.length > 0) stream.send(Buffer.from(eventText('requests', shown)))
    }
  }
}

function shownTo({ sandbox, viewer }: SeenRequests, requests: readonly KeptRequest[]): object[] {
  const isSeen = (kept: KeptRequest) =>
    (sandbox === undefined || kept.logged.sandbox === sandbox) &&
    (viewer === undefined || viewer === 'all' || kept.viewer === undefined || kept.viewer === viewer)
  return requests.filter(isSeen).map(({ logged, at, isOfPage: page }) => {
    const { sandbox, method, target, status, time, reason } = logged
    return { at, sandbox, method, target: target.slice(0, MOST.target), status, time, reason, page }
  })
}
