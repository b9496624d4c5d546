import type { ServerResponse } from 'node:http'

/** What json-server sends with everything but static files. */
const NO_CACHE = { 'Cache-Control': 'no-cache', Pragma: 'no-cache', Expires: '-1' }

/** Tells every cache to ask again. */
export function forbidCaching(response: ServerResponse): void {
  for (const [name, value] of Object.entries(NO_CACHE)) response.setHeader(name, value)
}

/** Takes that back. */
export function allowCaching(response: ServerResponse): void {
  for (const name of Object.keys(NO_CACHE)) response.removeHeader(name)
}
