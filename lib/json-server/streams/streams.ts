import type { ServerResponse } from 'node:http'
import type { DataSource } from '../../data/data-source'
import type { Saved } from '../../data/states'
import { EventStream, eventText } from '../../http/event-stream'
import { whenClosed } from '../../http/response-end'
import { isRecord } from '../../is-record'
import { changesBetween, changesOfAll } from './changes'

/** What a GET gives, whenever it is asked again. */
export interface View {
  /** What it asks for, and who may see that: those with the same key are told the same. */
  readonly key: string
  /** Asks again: a list, a record, or undefined. What cannot be given is an error, as it would be for the GET. */
  readonly look: (saved: Saved) => unknown
  /** Whether what it gives is all data, by the names of the resources. Default: never. */
  readonly isAll?: (resource: unknown) => boolean
  /** The body of its response, with which a stream begins. Default: what it gives. */
  readonly bodyOf?: (resource: unknown) => unknown
}

/** A view that somebody listens to. */
interface Watched {
  readonly view: View
  /** What its streams know. */
  seen: unknown
  /** The event with all of that, once for all streams that begin with it. */
  loaded: Buffer | undefined
  readonly streams: Set<EventStream>
}

/**
 * The open streams of some data. A stream begins with what a GET gives, and goes on with how that changes: after each
 * save the GET is asked again, and what it gives is compared with what it gave.
 */
export class Streams {
  readonly #watched = new Map<string, Watched>()
  /** Those that have not been asked since the last save. */
  readonly #waiting = new Set<Watched>()
  #stopWatching = () => {}

  readonly #data: DataSource
  readonly #idProperty: () => string

  /** @param idProperty gives the name of the id property */
  constructor(data: DataSource, idProperty: () => string) {
    this.#data = data
    this.#idProperty = idProperty
  }

  /**
   * Sends a stream, until either side ends it.
   *
   * @param mayStay whether the request would still be let in
   * @returns false where the GET finds nothing: nothing is sent then. Nothing is sent to a client that has gone, either.
   * @throws what the GET fails with
   */
  begin(response: ServerResponse, view: View, mayStay: () => boolean): boolean {
    if (response.destroyed) return true
    const known = this.#watched.get(view.key)
    if (known !== undefined && this.#waiting.has(known)) this.#ask(known)
    const watched = this.#watched.get(view.key) ?? this.#look(view)
    if (watched.seen === undefined) return false
    watched.loaded ??= loadedEvent(watched)
    // A source would keep every application that listens, so that one listens only while it has streams.
    if (this.#watched.size === 0)
      this.#stopWatching = this.#data.watch({ onSaved: this.#askSoon, onClosed: this.#end })
    this.#watched.set(view.key, watched)
    const stream = new EventStream(response, watched.loaded, mayStay)
    watched.streams.add(stream)
    whenClosed(response, () => {
      watched.streams.delete(stream)
      if (watched.streams.size === 0) this.#forget(watched)
    })
    return true
  }

  #look(view: View): Watched {
    return { view, seen: view.look(this.#data.lastSaved()), loaded: undefined, streams: new Set() }
  }

  readonly #askSoon = (): void => {
    if (this.#waiting.size === 0) setImmediate(this.#askNext)
    for (const watched of this.#watched.values()) this.#waiting.add(watched)
  }

  /** Asks once in each turn of the event loop, so that nobody waits for all: strangers choose how many there are. */
  readonly #askNext = (): void => {
    const [next] = this.#waiting
    if (next !== undefined) this.#ask(next)
    if (this.#waiting.size > 0) setImmediate(this.#askNext)
  }

  /** Asks again, and tells the streams. */
  #ask(watched: Watched): void {
    this.#waiting.delete(watched)
    try {
      const events = this.#next(watched)
      if (events !== undefined) for (const stream of watched.streams) stream.send(events)
    } catch {
      // Whoever listens asks again, and the response to that says what is wrong.
      this.#forget(watched)
      for (const stream of watched.streams) stream.end()
    }
  }

  readonly #end = (): void => {
    for (const { streams } of this.#watched.values()) for (const stream of streams) stream.end()
  }

  #forget(watched: Watched): void {
    const { key } = watched.view
    this.#waiting.delete(watched)
    if (this.#watched.get(key) === watched) this.#watched.delete(key)
    if (this.#watched.size === 0) this.#stopWatching()
  }

  /** The events that lead from what the streams know to what is saved now; undefined for none. */
  #next(watched: Watched): Buffer | undefined {
    const saved = this.#data.lastSaved()
    const { seen: before, view } = watched
    const after = view.look(saved)
    if (before === after) return undefined
    const isAll = isRecord(before) && isRecord(after) && view.isAll?.(after)
    const idProperty = this.#idProperty()
    const changes = isAll
      ? changesOfAll(before, after, idProperty)
      : changesBetween(before, after, idProperty)
    watched.seen = after
    watched.loaded = undefined
    if (changes === undefined) {
      watched.loaded = loadedEvent(watched)
      return watched.loaded
    }
    const events = changes.map(({ kind, record }) => eventText(kind, record))
    return events.length === 0 ? undefined : Buffer.from(events.join(''))
  }
}

function loadedEvent({ seen, view: { bodyOf = (resource) => resource } }: Watched): Buffer {
  return Buffer.from(eventText('loaded', bodyOf(seen) ?? null))
}
