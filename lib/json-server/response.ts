import etag from 'etag'
import { response as expressResponse, type Request, type Response } from 'express'
import { textOfList, textOfPage } from '../data/record-texts'
import { badRequest } from '../errors'
import { endIfCached, JSON_TYPE, sendBody } from '../http/send-json'

const { jsonp, send, set } = expressResponse

/** The statuses for which Express leaves the body and its headers out. A user's middleware may set one. */
const WITHOUT_BODY = [204, 205, 304]

export interface SendingOptions {
  /** The resource as JSON, if it has been made. Default: it is made now. */
  text?: Buffer | undefined
  /** As {@link textOf} takes it. Default: false. */
  isOfStoredRecords?: boolean
}

/**
 * Sends the resource in `response.locals.data`, as json-server does: 404 with an empty object if there is
 * none.
 *
 * @throws HttpError as {@link textOf} does
 */
export function sendResource(
  request: Request,
  response: Response,
  { text, isOfStoredRecords = false }: SendingOptions = {},
): void {
  const { locals } = response
  if (!locals.data) {
    response.status(404)
    locals.data = {}
  }
  const body = text ?? textOf(request, locals.data, isOfStoredRecords)
  // A user's middleware gets a copy, because it may change what it is given.
  if (!isAsExpressSends(request, response)) return void response.jsonp(JSON.parse(String(body)))
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const callback = callbackOf(request)
  const sent = callback === undefined ? body : wrapped(callback, body)
  const tag = etag(sent, { weak: true })
  if (endIfCached(request, response, tag)) return
  response.setHeader('Content-Type', callback === undefined ? JSON_TYPE : 'text/javascript; charset=utf-8')
  sendBody(response, sent)
}

/**
 * A resource as JSON.
 *
 * @param isOfStoredRecords whether the resource consists of stored records: these never change, so
 *   {@link textOfPage} remembers the text of each
 * @throws HttpError 400 when it is longer than a string can be, or nested deeper than the stack
 */
export function textOf({ app }: Request, resource: unknown, isOfStoredRecords = false): Buffer {
  const spaces = app.get('json spaces')
  try {
    if (!Array.isArray(resource) || spaces !== 2)
      return Buffer.from(JSON.stringify(resource, undefined, spaces))
    return (isOfStoredRecords ? textOfPage(resource) : undefined) ?? textOfList(resource)
  } catch (error) {
    // JSON.stringify throws it where a string would be too long or the stack too small, textInPieces as well.
    if (error instanceof RangeError)
      throw badRequest(
        'The response would be too large, or nested too deep, to be sent: ask for a page (_page, _limit), ' +
          'or store less.',
      )
    throw error
  }
}

/** Whether `res.jsonp` would send the text of {@link textOf} with the headers that are set here. */
function isAsExpressSends({ app }: Request, response: Response): boolean {
  return (
    !WITHOUT_BODY.includes(response.statusCode) &&
    // A user's middleware may replace these.
    response.jsonp === jsonp &&
    response.send === send &&
    response.set === set &&
    !response.hasHeader('Content-Type') &&
    !response.hasHeader('ETag') &&
    app.get('etag') === 'weak' &&
    !app.get('json replacer') &&
    !app.get('json escape')
  )
}

/**
 * The function that JSONP calls, in the characters that Express leaves of its name; undefined without one.
 */
function callbackOf({ app, query }: Request): string | undefined {
  const given = query[app.get('jsonp callback name')]
  const name = Array.isArray(given) ? given[0] : given
  return typeof name === 'string' && name !== '' ? name.replace(/[^[\]\w$.]/g, '') : undefined
}

/** What ends a line in JavaScript before ES2019, and not in JSON. */
const LINE_ENDS = ['\u2028', '\u2029']

/**
 * The script of JSONP, byte for byte as Express's `res.jsonp` makes it. The JSON stays bytes: joined with the
 * call as a string, a long one would take its memory again.
 */
function wrapped(callback: string, json: Buffer): Buffer {
  const call = `/**/ typeof ${callback} === 'function' && ${callback}(`
  return Buffer.concat([Buffer.from(call), withoutLineEnds(json), Buffer.from(');')])
}

function withoutLineEnds(json: Buffer): Buffer {
  if (!LINE_ENDS.some((end) => json.includes(end))) return json
  return Buffer.from(
    String(json)
      .replace(/\u2028/g, '\\u2028')
      .replace(/\u2029/g, '\\u2029'),
  )
}
