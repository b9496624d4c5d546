declare module 'method-override' {
  import type { RequestHandler } from 'express'

  /** Gives a POST the method in its header X-HTTP-Method-Override. */
  export default function methodOverride(): RequestHandler
}
