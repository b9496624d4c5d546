declare module 'method-override' {
  import type { Request, RequestHandler } from 'express'

  /** Gives a POST the method that a function returns, if Node knows it. */
  export default function methodOverride(getter: (request: Request) => string | undefined): RequestHandler
}
