import type { ServerResponse } from 'node:http'

/** The content type of every response in JSON, except those of the user lookup service. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** How {@link sendJson} sends a value. */
interface JsonLayout {
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
export function sendJson(
  response: ServerResponse,
  value: unknown,
  { indentation = 2, contentType = JSON_TYPE }: JsonLayout = {},
): void {
  response.setHeader('Content-Type', contentType)
  sendBody(response, Buffer.from(jsonText(value, indentation)))
}

/** A value as JSON. What a template leaves out has no text of its own. */
export function jsonText(value: unknown, indentation = 2): string {
  return JSON.stringify(value ?? null, null, indentation)
}

/** Sends JSON that nobody may keep, because it is about one person (RFC 6749 section 5.1). */
export function sendUncached(response: ServerResponse, value: unknown): void {
  response.setHeader('Cache-Control', 'no-store')
  sendJson(response, value)
}

/**
 * Ends a response, which has its status and its content type, with a body. HEAD has none: Node would leave it
 * out, but a middleware that counts bytes would count it.
 */
export function sendBody(response: ServerResponse, body: Buffer): void {
  response.setHeader('Content-Length', body.length)
  if (response.req.method === 'HEAD') response.end()
  else response.end(body)
}
