import type { RequestHandler } from 'express'
import { type Credentials, storedCredentials } from '../../auth/credentials'
import { type DataSource, MemoryData } from '../../data/data-source'
import { type Data, DataError } from '../../data/valid-data'
import { HttpError, RETRY_LATER } from '../../errors'
import { nearestName } from '../../nearest-name'
import { Faults } from '../faults/faults'
import { Journal } from './journal'

/** How many sandboxes there can be, and the milliseconds after which an unused one is forgotten. */
export const SANDBOX_LIMITS = { count: 200, idleTime: 30 * 60 * 1000 }

export interface SandboxesOptions {
  /** The main data: sandboxes begin with it as it was last loaded. */
  data: DataSource
  /** Makes the application that a sandbox runs in: the same as the main one, with other data. */
  createApp: (data: DataSource) => RequestHandler
}

/** The application with its own data, for the requests that name this sandbox. */
export interface Sandbox {
  readonly name: string
  /** Made for the first request that enters it: a sandbox is often reset before that. */
  readonly application: () => RequestHandler
  /** What was asked of it. */
  readonly journal: Journal
  /** The rules by which its requests fail. */
  faults: Faults
  /** The timer that forgets it when nobody uses it. */
  readonly idleTimer: NodeJS.Timeout
}

/** The sandboxes of a server, by name. */
export class Sandboxes {
  readonly #sandboxes = new Map<string, Sandbox>()
  readonly #ofRequests = new WeakMap<object, RequestSandbox>()
  private readonly options: SandboxesOptions

  constructor(options: SandboxesOptions) {
    this.options = options
  }

  /** Who can log in to a sandbox that does not exist yet. */
  get loadedUsers(): readonly Credentials[] {
    return storedCredentials(this.options.data.loaded.users)
  }

  /** The sandbox of this name, if it exists. It counts as used from then on. */
  get(name: string): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(name)
    sandbox?.idleTimer.refresh()
    return sandbox
  }

  /**
   * Begins a sandbox with the loaded data. If there is one of this name, the new one takes its place.
   *
   * @param collections take the place of those of the loaded data
   * @throws DataError when the loaded data has none of the same name, or json-server could not serve them
   * @throws HttpError 503 when there are too many sandboxes
   */
  beginAnew(name: string, collections: Data = {}): Sandbox {
    const { count, idleTime } = SANDBOX_LIMITS
    if (this.#sandboxes.size >= count && !this.#sandboxes.has(name))
      throw new HttpError({
        status: 503,
        message:
          `There are already ${count} sandboxes. Forget one with DELETE /__sandbox; one that is not ` +
          `used for ${idleTime / 60_000} minutes is forgotten automatically.`,
        headers: RETRY_LATER,
      })
    // A sandbox shares what was loaded: its changes put new arrays in the place of old ones.
    const content = withCollections(this.options.data.loaded, collections)
    const data = new MemoryData(content, { isOwn: true })
    let application: RequestHandler | undefined
    const sandbox: Sandbox = {
      name,
      journal: new Journal(),
      faults: new Faults([]),
      application: () => (application ??= this.options.createApp(data)),
      idleTimer: setTimeout(() => this.forget(name), idleTime).unref(),
    }
    this.forget(name)
    this.#sandboxes.set(name, sandbox)
    return sandbox
  }

  /** The records of a collection of the loaded data; undefined where there is no such collection. */
  loadedRecords(collection: string): readonly unknown[] | undefined {
    const records: unknown = this.options.data.loaded[collection]
    return Array.isArray(records) ? records : undefined
  }

  /** Forgets a sandbox with all its data. */
  forget(name: string): void {
    clearTimeout(this.#sandboxes.get(name)?.idleTimer)
    this.#sandboxes.delete(name)
  }

  /** Makes a sandbox, which may not exist yet, the one that a request is for. */
  choose(request: object, name: string): void {
    this.#ofRequests.set(request, new RequestSandbox(name, this))
  }

  /** The sandbox that a request is for; undefined when it is for the main data. */
  ofRequest(request: object): RequestSandbox | undefined {
    return this.#ofRequests.get(request)
  }
}

/** The sandbox that a request names, which may not exist yet. */
export class RequestSandbox {
  readonly name: string
  /**
   * The sandbox that existed when the request arrived, or that the request has begun. Resetting it does not
   * change this one.
   */
  current: Sandbox | undefined
  private readonly sandboxes: Sandboxes

  constructor(name: string, sandboxes: Sandboxes) {
    this.name = name
    this.sandboxes = sandboxes
    this.current = sandboxes.get(name)
  }

  /** Whether it exists. Until then, requests are for the main data. */
  get hasBegun(): boolean {
    return this.current !== undefined
  }

  /** Who can log in to it while it does not exist; undefined if it exists, with its own users. */
  get firstUsers(): readonly Credentials[] | undefined {
    return this.hasBegun ? undefined : this.sandboxes.loadedUsers
  }

  /** The records of a collection with which it will begin; undefined if it exists, or there is no such collection. */
  firstRecords(collection: string): readonly unknown[] | undefined {
    return this.hasBegun ? undefined : this.sandboxes.loadedRecords(collection)
  }

  /**
   * Begins the sandbox, unless it exists.
   *
   * @throws HttpError 503 when there is no room
   */
  begin(): Sandbox {
    this.current ??= this.sandboxes.get(this.name) ?? this.sandboxes.beginAnew(this.name)
    return this.current
  }
}

/**
 * The loaded data with the given collections in the place of its own.
 *
 * @throws DataError when the loaded data has none of the same name
 */
function withCollections(data: Data, collections: Data): Data {
  const unknown = Object.keys(collections).find((name) => !Object.hasOwn(data, name))
  if (unknown === undefined) return { ...data, ...collections }
  const nearest = nearestName(unknown, Object.keys(data))
  const meant = nearest === undefined ? '.' : `: did you mean "${nearest}"?`
  throw new DataError(
    `There is no "${unknown}"${meant} To begin with an empty one, add "${unknown}": [] to the data file.`,
  )
}
