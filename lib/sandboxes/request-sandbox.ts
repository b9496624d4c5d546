import type { Sandbox, Sandboxes } from './sandboxes'

declare global {
  namespace Express {
    interface Request {
      /** The sandbox that the request is for, set before anything else is done with it. */
      sandbox?: RequestSandbox
    }
  }
}

/** The sandbox that a request is for. It need not have begun. */
export class RequestSandbox {
  /** The sandbox as it was when the request arrived or began it, whatever has become of it since. */
  current: Sandbox | undefined

  constructor(
    readonly name: string,
    private readonly sandboxes: Sandboxes,
  ) {
    this.current = sandboxes.get(name)
  }

  /** Who can log in to a sandbox that has not begun; undefined when it has, and has users of its own. */
  get firstUsers(): readonly unknown[] | undefined {
    return this.current === undefined ? this.sandboxes.loadedUsers : undefined
  }

  /**
   * Begins the sandbox, unless it has begun.
   *
   * @throws HttpError 503 when there is no room
   */
  begin(): Sandbox {
    this.current ??= this.sandboxes.get(this.name) ?? this.sandboxes.begin(this.name)
    return this.current
  }
}
