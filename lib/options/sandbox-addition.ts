import type { Request, RequestHandler, Response } from 'express'
import type { PathEntry } from './docs-addition'

/** A route by which an option controls its part of a sandbox. */
export interface SandboxRoute {
  /** How large its JSON body can be, in bytes. Default: no body is read. */
  readonly limit?: number
  /** @param sandbox one that has begun: a reset makes another one */
  respond(sandbox: object, request: Request, response: Response): void
}

/** What an option adds to `--sandboxes`, which knows no option by name. */
export interface SandboxAddition {
  /** By method and path, below `/__sandbox`: for requests that may control the sandbox. */
  readonly routes: Readonly<Record<string, SandboxRoute>>
  /**
   * Makes a step for the requests to sandboxes.
   *
   * @param sandboxOf the sandbox that a request is for, if it has begun
   */
  step(sandboxOf: (request: object) => object | undefined): RequestHandler
  /** Describes the routes for the document, under this tag. */
  paths(tag: string): readonly PathEntry[]
}
