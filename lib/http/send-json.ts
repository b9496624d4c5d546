import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { HttpRequest, HttpResponse } from './handler'
import { isLarge, sharedBody, tagOf } from './shared-body'

/** The content type of every response in JSON, except those of the user lookup service. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** How {@link sendJson} sends the body. */
interface JsonLayout {
  status?: number
  /** Spaces; json-server uses two. */
  indentation?: number
  contentType?: string
}

/**
 * Sends a value as JSON. Express's `res.json` would rewrite the charset of the content type to lower case,
 * and the user lookup service guarantees `charset=UTF-8` exactly.
 *
 * @param response one whose headers have not been sent yet
 * @param value any value that JSON can hold
 */
export function sendJson(response: ServerResponse, value: unknown, layout: JsonLayout = {}): void {
  sendText(response, textInJson(value, layout.indentation), layout)
}

/** A value as JSON. A long text is one that all responses with it share. */
export function textInJson(value: unknown, indentation = 2): string | Buffer {
  const text = JSON.stringify(value, null, indentation)
  return isLarge(text) ? sharedBody(Buffer.from(text)) : text
}

/** As {@link sendJson}, with the text that {@link textInJson} has made. */
export function sendText(
  response: ServerResponse,
  text: string | Buffer,
  { status = 200, contentType = JSON_TYPE }: JsonLayout = {},
): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) })
  endWith(response, text)
}

/**
 * Ends a response with a body that it has announced. HEAD has none: Node would leave it out, but a middleware
 * that counts bytes would count it.
 */
export function endWith(response: ServerResponse, body: string | Buffer): void {
  if (response.req.method === 'HEAD') response.end()
  else if (response.socket instanceof TLSSocket && typeof body !== 'string')
    Readable.from(piecesOf(body)).pipe(response)
  else response.end(body)
}

/** Bytes that are encrypted at once. */
const PIECE = 64 * 1024

/**
 * A body as far as its client reads it. Over TLS, Node would encrypt the whole of it at once and keep that for
 * each connection, where connections without TLS share its bytes: a hundred clients that ask for a list of 5 MB
 * and do not read it take 30 MB with this, and 460 MB without it.
 */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE) yield body.subarray(start, start + PIECE)
}

/**
 * Sends a body with its length and its tag, or 304 when the client's cache has it.
 *
 * @param response one whose headers have not been sent yet
 * @param headers `tag`, by default made from the body; `contentType`, by default that of JSON
 */
export function sendBody(
  request: HttpRequest,
  response: HttpResponse,
  body: Buffer,
  { tag, contentType = JSON_TYPE }: { tag?: string; contentType?: string } = {},
): void {
  const ownTag = tag ?? tagOf(body)
  response.setHeader('ETag', ownTag)
  if (request.fresh) {
    response.statusCode = 304
    response.end()
    return
  }
  response.setHeader('Content-Type', contentType)
  response.setHeader('Content-Length', body.length)
  // Who gives a tag keeps the body for all responses.
  endWith(response, tag === undefined ? sharedBody(body, ownTag) : body)
}
