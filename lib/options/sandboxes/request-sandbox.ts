import type { Sandbox, Sandboxes } from './sandboxes'

/** The sandboxes of the requests under way. */
const ofRequests = new WeakMap<object, RequestSandbox>()

/** The sandbox that a request is for, or undefined when it is for the main data. */
export function sandboxOf(request: object): RequestSandbox | undefined {
  return ofRequests.get(request)
}

/** The sandbox that a request is for, which may not exist yet. */
export class RequestSandbox {
  /**
   * The sandbox that existed when the request arrived, or that the request has begun. Resetting it does not
   * change this one.
   */
  current: Sandbox | undefined

  constructor(
    readonly name: string,
    private readonly sandboxes: Sandboxes,
  ) {
    this.current = sandboxes.get(name)
  }

  /** Makes this the sandbox of a request. */
  assignTo(request: object): void {
    ofRequests.set(request, this)
  }

  /** Whether the request would be for the main data instead, because the sandbox does not exist yet. */
  get isAwaited(): boolean {
    return this.current === undefined
  }

  /** Who can log in to a sandbox that does not exist yet; undefined if it exists and has its own users. */
  get firstUsers(): readonly unknown[] | undefined {
    return this.isAwaited ? this.sandboxes.loadedUsers() : undefined
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
