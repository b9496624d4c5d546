declare module 'method-override' {
  import type { Request, RequestHandler, Response } from 'express'

  /** Gives what was sent as a POST the method that a function returns, if there is one. */
  export default function methodOverride(
    getter: (request: Request, response: Response) => string | undefined,
  ): RequestHandler
}
