import type { BuiltInRoute, ShownRoute } from '../lib/auth/built-in-route'
import { publicNames, publicReadAt } from '../lib/auth/paths'
import { DEFAULTS } from '../lib/defaults'
import { HttpError } from '../lib/errors'
import { asksForStream } from '../lib/http/event-stream'
import type { Handler } from '../lib/http/handler'
import { type Describe, listOf, type Operation, objectOf, STREAMED } from '../lib/http/openapi'
import { PreparedResponse } from '../lib/http/prepared-response'
import { decodePath, isRead } from '../lib/http/request'
import { sendJson } from '../lib/http/send-json'
import { idOf } from '../lib/json-server/addresses'
import { derived } from '../lib/json-server/derived'
import type { PublicCollection, StreamPublic } from '../lib/json-server/public-collection'
import { type KindsOf, requireKinds } from '../lib/option-kinds'

/** The records of a collection that was added after the data was loaded. */
const NONE: readonly unknown[] = []

export interface PublicReadsOptions {
  /** The name of the collection. Default: `blogs`. */
  collection?: string
  /** Where its records are. */
  source: PublicCollection
  /**
   * Whether the list shows changes made since the data was loaded. Default: false (docs/promises.md, Public
   * reads).
   */
  live?: boolean
  /** Whether the list may be compressed. Default: true. */
  gzip?: boolean
  /** Sends a stream to whoever asks for one. Default: everybody gets JSON. */
  stream?: StreamPublic
}

const PUBLIC_READS_KINDS: KindsOf<PublicReadsOptions> = {
  collection: ['a string'],
  source: ['an object'],
  live: ['true', 'false'],
  gzip: ['true', 'false'],
  stream: ['a function that returns at once'],
}

/**
 * The two public reads, without a token: `GET /blogs` gives `{"blogs": [...]}`, `GET /blogs/:id` and `GET
 * /blog/:id` give `{"blog": {...}}` (docs/promises.md, Public reads). Any other request is passed on.
 *
 * They never reach json-server's router and ignore the whole query: `_embed` or `_like` must not work
 * without a token. Passes on 404 when no record matches, 400 when the id cannot be decoded.
 *
 * @throws TypeError when an option is of the wrong kind or does not exist
 *
 * @example
 * app.use(publicReads({ collection: 'cats', source })) // source: a PublicCollection
 */
export function publicReads(options: PublicReadsOptions): Handler {
  requireKinds(options, PUBLIC_READS_KINDS)
  const { source, live = false, gzip = true, stream = () => false } = options
  const { collection = DEFAULTS.publicCollection } = options
  const names = publicNames(collection)
  const lists = derived<PreparedResponse>()
  const recordsIn = ({ records, loaded }: PublicCollection) => (live ? records() : loaded()) ?? NONE
  const listBody = (records: unknown) => ({ [names.plural]: records })
  const recordBody = (record: unknown) => ({ [names.singular]: record })
  /** The list as it is sent, made at the first request: 0.4 s for 100,000 records. */
  const list = (): PreparedResponse => {
    const records = recordsIn(source)
    const make = () => new PreparedResponse(Buffer.from(JSON.stringify(listBody(records), null, 2)))
    return lists(records, names.plural, make)
  }

  return function publicReadsMiddleware(request, response, next) {
    const read = isRead(request) ? publicReadAt(names, request.path) : undefined
    if (read === undefined || source.records() === undefined) return next()
    const { encodedId } = read
    const isStream = asksForStream(request)
    if (encodedId === undefined) {
      if (isStream && stream(response, { key: 'list', look: recordsIn, bodyOf: listBody })) return
      list().send(request, response, { compression: gzip }).catch(next)
      return
    }
    const id = decodePath(encodedId)
    const look = (collection: PublicCollection) => findByPathId(collection, id)
    if (isStream && stream(response, { key: `record ${id}`, look, bodyOf: recordBody })) return
    const record = look(source)
    if (record === undefined) return next(new HttpError({ status: 404, message: `${names.title} not found` }))
    sendJson(response, recordBody(record))
  }
}

/**
 * The two public reads, as others see them.
 *
 * @param records what the data has under that name: without a list, they are none
 */
export function publicReadsRoute(collection: string, records: () => unknown): BuiltInRoute {
  const names = publicNames(collection)
  return {
    hasPath: (path) => Array.isArray(records()) && publicReadAt(names, path) !== undefined,
    hasMethod: (method) => isRead({ method }),
    isOpen: true,
    mayBeRewritten: true,
    shown: ({ state, idProperty }) => routesOf(collection, state[collection], idProperty),
  }
}

/** How a document describes them. */
export function describePublicReads(collection: string, live: boolean): Describe {
  return ({ resource }) => {
    const found = resource(collection)
    if (found === undefined || !found.isCollection) return [collection, []]
    const { plural, singular } = publicNames(collection)
    const list: Operation = {
      needsToken: false,
      description: `The records as they ${live ? 'are now' : 'were loaded'}. A query is ignored. ${STREAMED}`,
      success: objectOf({ [plural]: listOf(found.record) }),
    }
    const one: Operation = {
      needsToken: false,
      description: STREAMED,
      parameters: [found.idParameter],
      success: objectOf({ [singular]: found.record }),
    }
    return [
      collection,
      [
        [`GET /${plural}`, `list${found.listName}`, list],
        [`GET /${plural}/{id}`, `get${found.schemaName}`, one],
        [`GET /${singular}/{id}`, `read${found.schemaName}`, one],
      ],
    ]
  }
}

/** What the start says: the list, and one record of it that has an address. */
function routesOf(name: string, records: unknown, idProperty: string): ShownRoute[] {
  if (!Array.isArray(records)) return []
  const list = { method: 'GET', path: `/${name}` }
  const id = records.map((record) => idOf(record, idProperty)).find((found) => found !== undefined)
  return id === undefined ? [list] : [list, { method: 'GET', path: `/${name}/${encodeURIComponent(id)}` }]
}

/**
 * The record whose id equals the numeric value of this string (docs/promises.md, Public reads), or is the
 * string: `1`, `01` and `1.0` are 1, but a record with the id `"01"` comes first for `01`.
 */
function findByPathId(source: PublicCollection, id: string): unknown {
  const number = id.trim() === '' ? Number.NaN : Number(id)
  const [first, second] = String(number) === id ? [number, id] : [id, number]
  return source.find(first) ?? source.find(second)
}
