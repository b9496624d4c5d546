import type { OutgoingHttpHeader, ServerResponse } from 'node:http'

/** Names the headers that pages of other origins can read (Fetch, CORS protocol). */
export const EXPOSED_HEADERS = 'Access-Control-Expose-Headers'

/**
 * Adds to the headers that pages of other origins can read: another step, or a middleware of the user's, may have named
 * some.
 *
 * @param names as the header holds them
 */
export function exposeHeaders(response: ServerResponse, names: OutgoingHttpHeader): void {
  const known = namesOfHeader(response.getHeader(EXPOSED_HEADERS))
  const isKnown = (name: string) => known.some((other) => other.toLowerCase() === name.toLowerCase())
  const added = namesOfHeader(names).filter((name) => !isKnown(name))
  response.setHeader(EXPOSED_HEADERS, [...known, ...added].join(', '))
}

function namesOfHeader(value: OutgoingHttpHeader = ''): string[] {
  return String(value)
    .split(',')
    .flatMap((name) => name.trim() || [])
}
