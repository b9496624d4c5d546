import { json, type RequestHandler, urlencoded } from 'express'

/**
 * json-server's body parsers with their limits (10 MB of JSON, 100 kB of form), except that a JSON body that is not an
 * object is let through to the request guard, which can say so.
 */
export function parseBody(): RequestHandler[] {
  return [json({ limit: '10mb', strict: false }), urlencoded({ extended: false })]
}
