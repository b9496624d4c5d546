import type { Sandbox, Sandboxes } from './sandboxes'

declare global {
  namespace Express {
    interface Request {
      /** The sandbox that the request is for, set ahead of all that depends on the data. */
      sandbox?: RequestSandbox
    }
  }
}

/** The sandbox that a request is for, which may not exist yet. */
export class RequestSandbox {
  /** The sandbox that existed when the request arrived, or that the request has begun. Resetting it does not change this one. */
  current: Sandbox | undefined

  constructor(
    readonly name: string,
    private readonly sandboxes: Sandboxes,
  ) {
    this.current = sandboxes.get(name)
  }

  /** Who can log in to a sandbox that does not exist yet; undefined when it does, and has its own users. */
  get firstUsers(): readonly unknown[] | undefined {
    return this.current === undefined ? this.sandboxes.loadedUsers() : undefined
  }

  /**
   * Begins the sandbox, unless it exists.
   *
   * @throws HttpError 503 when there is no room
   */
  begin(): Sandbox {
    this.current ??= this.sandboxes.get(this.name) ?? this.sandboxes.begin(this.name)
    return this.current
  }
}
