import type { ServerResponse } from 'node:http'

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
 * and the user lookup service guarantees `charset=UTF-8` exactly. For HEAD, Node leaves the body out.
 *
 * @param response one whose headers have not been sent yet
 * @param value any value that JSON can hold
 */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  { status = 200, indentation = 2, contentType = JSON_TYPE }: JsonLayout = {},
): void {
  const body = JSON.stringify(value, null, indentation)
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
