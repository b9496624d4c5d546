declare module 'express-urlrewrite' {
  import type { RequestHandler } from 'express'

  /** Rewrites `request.url` from one path-to-regexp pattern to another. */
  export default function rewrite(from: string, to: string): RequestHandler
}
