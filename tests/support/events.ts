import { type IncomingHttpHeaders, request } from 'node:http'
import { isRecord } from '../../lib/is-record'
import { until } from './http'

/** An event of a stream, with its data parsed. */
export interface StreamEvent {
  name: string
  data: unknown
}

/** A GET that stays open. */
export interface Listener {
  status: number
  headers: IncomingHttpHeaders
  events: StreamEvent[]
  /** What has been received, byte for byte. */
  text: () => string
  /** Resolves when the stream has ended, from whatever side. */
  ended: Promise<void>
  /** Waits until there are so many events, and gives all of them in the form `created 1`. */
  heard: (count: number) => Promise<string[]>
  close: () => void
}

/** Asks for a stream as an EventSource does. */
export function listenTo(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const all = { Accept: 'text/event-stream', ...headers }
    const outgoing = request(url, { method, path, headers: all, agent: false }, (response) => {
      const events: StreamEvent[] = []
      let text = ''
      let read = 0
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        for (let end = text.indexOf('\n\n', read); end !== -1; end = text.indexOf('\n\n', read)) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(text.slice(read, end)) ?? []
          if (name !== undefined && data !== undefined) events.push({ name, data: JSON.parse(data) })
          read = end + 2
        }
      })
      // A connection that is cut off is an error here.
      response.on('error', () => {})
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        text: () => text,
        ended: new Promise((done) => response.once('close', done)),
        heard: async (count) => {
          await until(() => events.length >= count)
          return events.map(shown)
        },
        close: () => outgoing.destroy(),
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** An event, with the id of its record in place of that. */
function shown({ name, data }: StreamEvent): string {
  return isRecord(data) && 'id' in data ? `${name} ${data.id}` : name
}

/**
 * What a client keeps that follows the events of a list, by the ids of its records.
 *
 * @param events those of a stream from its beginning
 */
export function keptFrom(events: readonly StreamEvent[]): Map<unknown, unknown> {
  const kept = new Map<unknown, unknown>()
  for (const { name, data } of events) {
    if (name === 'loaded') {
      kept.clear()
      for (const record of Array.isArray(data) ? data : []) kept.set(Object(record).id, record)
    } else if (name === 'deleted') kept.delete(Object(data).id)
    else kept.set(Object(data).id, data)
  }
  return kept
}
