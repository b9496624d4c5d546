import type { Request, RequestHandler, Response } from 'express'
import type { Paths } from '../http/operations'

/** What an option adds to `--sandboxes`, which knows no option by name. */
export interface SandboxAddition {
  /**
   * Routes by which the option controls its part of a sandbox, by method and path, below `/__sandbox`. They
   * are called with a sandbox that has begun, and with the parsed JSON body of a request that may control it.
   * A reset makes another sandbox.
   */
  readonly routes: Readonly<Record<string, (sandbox: object, request: Request, response: Response) => void>>
  /**
   * Makes a step for the requests to sandboxes.
   *
   * @param sandboxOf the sandbox that a request is for, if it has begun
   */
  step(sandboxOf: (request: object) => object | undefined): RequestHandler
  /** Describes the routes for the document, under the tag `Sandboxes`. */
  readonly paths: Paths
}
