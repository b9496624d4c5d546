declare module 'express-urlrewrite' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** Rewrites `request.url` from one path-to-regexp pattern to another. */
  export default function rewrite(
    from: string,
    to: string,
  ): (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}
