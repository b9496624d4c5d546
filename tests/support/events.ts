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
  /** Without heartbeats, which come whenever a test takes long. */
  events: StreamEvent[]
  /** What has been received, byte for byte. */
  text: () => string
  /** Resolves when the stream has ended, from whatever side. */
  ended: Promise<void>
  /** Whether it was ended by the server, and not cut off. */
  isWhole: () => boolean
  /** Waits until there are so many events, and gives all of them in the form `created 1`. */
  heard: (count: number) => Promise<string[]>
  close: () => void
}

/** Asks for a stream as an EventSource does, and waits until it begins. */
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
      const chunks: string[] = []
      let unread = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        chunks.push(chunk)
        const whole = (unread + chunk).split('\n\n')
        unread = whole.pop() ?? ''
        for (const text of whole) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(text) ?? []
          if (name !== undefined && name !== 'heartbeat' && data !== undefined)
            events.push({ name, data: JSON.parse(data) })
        }
      })
      // A connection that is cut off is an error here.
      response.on('error', () => {})
      const listener: Listener = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        text: () => chunks.join(''),
        ended: new Promise((done) => response.once('close', done)),
        isWhole: () => response.complete,
        heard: async (count) => {
          await until(() => events.length >= count)
          return events.map(shown)
        },
        close: () => outgoing.destroy(),
      }
      const begun = () => resolve(listener)
      response.once('data', begun).once('close', begun)
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
 * What a client keeps that follows the events of a stream.
 *
 * @param events those of a stream from its beginning
 * @param isAll whether it is a stream of all data
 */
export function keptFrom(events: readonly StreamEvent[], isAll = false): Map<string, unknown> {
  let kept = new Map<string, unknown>()
  for (const { name, data } of events) {
    if (name === 'loaded') kept = recordsOf(data, isAll)
    else
      for (const [key, record] of recordsOf(isAll ? inLists(data) : [data], isAll))
        if (name === 'deleted') kept.delete(key)
        else kept.set(key, record)
  }
  return kept
}

/** The records of what a GET gives, by their ids, or what they are where they have none. */
export function recordsOf(body: unknown, isAll = false, resource = ''): Map<string, unknown> {
  if (isAll && isRecord(body))
    return new Map(Object.entries(body).flatMap(([name, part]) => [...recordsOf(part, false, name)]))
  const records = Array.isArray(body) ? body : [body].filter((one) => one !== undefined)
  return new Map(
    records.map((record) => [`${resource} ${JSON.stringify(Object(record).id ?? record)}`, record]),
  )
}

/** An event of all data, in the form of the whole. */
function inLists(data: unknown): object {
  return Object.fromEntries(Object.entries(Object(data)).map(([name, record]) => [name, [record]]))
}
