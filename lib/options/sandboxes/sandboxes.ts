import type { EventEmitter } from 'node:events'
import type { RequestHandler } from 'express'
import { type DataSource, MemoryData } from '../../data/data-source'
import { type Data, DataError } from '../../data/valid-data'
import { HttpError, RETRY_LATER } from '../../errors'
import { nearestName } from '../../nearest-name'
import { Faults } from '../faults/faults'
import { Journal } from './journal'
import { SandboxClock } from './sandbox-clock'

/**
 * How many sandboxes there can be, the milliseconds without a request after which one may make room for another, and
 * how many names of those are remembered.
 */
export const SANDBOX_LIMITS = { count: 200, idleTime: 60_000, remembered: 10_000 }

/** The server with its own data, for the requests that name this sandbox. */
export interface Sandbox {
  readonly name: string
  readonly data: DataSource
  /** What was asked of it. */
  readonly journal: Journal
  /** The rules by which its requests fail. */
  faults: Faults
  readonly clock: SandboxClock
  /** Made for the first request that needs it: a sandbox is often reset before that. */
  readonly server: () => SandboxServer
}

/** What runs in a sandbox. */
interface SandboxServer {
  readonly app: RequestHandler
  /** Its sessions, as a test can change them. */
  readonly sessions: { strict: boolean; endAll(): void }
}

export interface SandboxesOptions {
  /** The main data: a sandbox has what was last loaded of it. */
  data: DataSource
  /** That of the server, in milliseconds since the epoch. */
  clock: () => number
  /** Makes what runs in a sandbox: the same as for the main data. */
  createServer: (sandbox: Sandbox) => SandboxServer
}

/**
 * The sandboxes of a server, by name. Every name has one: as long as nothing has changed it, it is made for a request
 * and gone when the last request for it has ended.
 */
export class Sandboxes {
  /** Those that stay, each with the time of its last use, which is also their order. */
  readonly #kept = new Map<string, { sandbox: Sandbox; usedAt: number }>()
  /** Those that nothing has changed, each with the number of requests for it that are under way. */
  readonly #passing = new Map<string, { sandbox: Sandbox; requests: number }>()
  /** The names of those that made room for others. */
  readonly #pushedOut = new Set<string>()
  private readonly options: SandboxesOptions

  constructor(options: SandboxesOptions) {
    this.options = options
  }

  /**
   * Gives the sandbox for a request that ends with the response.
   *
   * @throws HttpError 410 when the sandbox has made room for others: a test must not go on with other data
   */
  enter(name: string, response: EventEmitter): Sandbox {
    const kept = this.#use(name)
    if (kept !== undefined) return kept
    const entered = this.#passingOf(name) ?? { sandbox: this.#make(name), requests: 0 }
    this.#passing.set(name, entered)
    entered.requests += 1
    response.once('close', () => {
      entered.requests -= 1
      if (entered.requests === 0 && this.#isPassing(entered.sandbox)) this.#passing.delete(name)
    })
    return entered.sandbox
  }

  /**
   * Makes a sandbox stay that has been entered, because it will be changed. One that was forgotten or reset in the
   * meantime ends with its requests.
   *
   * @param options `mayPushOut`: whether another may make room for it
   * @throws HttpError 503 when there is no room
   */
  keep(sandbox: Sandbox, { mayPushOut }: { mayPushOut: boolean }): void {
    if (this.#isPassing(sandbox)) this.#put(sandbox, mayPushOut)
  }

  /**
   * Gives the sandbox of a name, to control it.
   *
   * @throws HttpError 410 when it has made room for others, 503 when there is no room for it
   */
  control(name: string): Sandbox {
    const sandbox = this.#use(name) ?? this.#passingOf(name)?.sandbox ?? this.#make(name)
    this.#put(sandbox, true)
    return sandbox
  }

  /**
   * Puts a sandbox with the loaded data in the place of the one of this name.
   *
   * @param collections take the place of those of the loaded data
   * @throws DataError when the loaded data has none of the same name, or json-server could not serve them
   * @throws HttpError 503 when there is no room
   */
  reset(name: string, collections: Data): void {
    this.#put(this.#make(name, collections), true)
  }

  /** Forgets a sandbox with all its data. */
  forget(name: string): void {
    this.#kept.delete(name)
    this.#passing.delete(name)
    this.#pushedOut.delete(name)
  }

  #make(name: string, collections: Data = {}): Sandbox {
    // A sandbox shares what was loaded: its changes put new arrays in the place of old ones.
    const { loaded } = this.options.data
    const isReset = Object.keys(collections).length > 0
    const data = new MemoryData(isReset ? withCollections(loaded, collections) : loaded, { isOwn: true })
    let server: SandboxServer | undefined
    const sandbox: Sandbox = {
      name,
      data,
      journal: new Journal(),
      faults: new Faults([]),
      clock: new SandboxClock(this.options.clock),
      server: () => (server ??= this.options.createServer(sandbox)),
    }
    return sandbox
  }

  /** The one that nothing has changed; undefined when other data has been loaded since it was made. */
  #passingOf(name: string) {
    const passing = this.#passing.get(name)
    return passing?.sandbox.data.loaded === this.options.data.loaded ? passing : undefined
  }

  #isPassing(sandbox: Sandbox): boolean {
    return this.#passing.get(sandbox.name)?.sandbox === sandbox
  }

  /** The sandbox of a name, if one stays. It is then the one used last. */
  #use(name: string): Sandbox | undefined {
    if (this.#pushedOut.has(name))
      throw new HttpError({
        status: 410,
        message: `The sandbox "${name}" made room for others: reset it with POST /__sandbox/reset, or take another name.`,
      })
    const sandbox = this.#kept.get(name)?.sandbox
    if (sandbox !== undefined) this.#put(sandbox, false)
    return sandbox
  }

  /** Puts a sandbox last of those that stay, in the place of the one of its name. */
  #put(sandbox: Sandbox, mayPushOut: boolean): void {
    const { name } = sandbox
    if (!this.#kept.has(name) && this.#kept.size >= SANDBOX_LIMITS.count) this.#makeRoom(mayPushOut)
    this.forget(name)
    this.#kept.set(name, { sandbox, usedAt: performance.now() })
  }

  #makeRoom(mayPushOut: boolean): void {
    const { count, idleTime, remembered } = SANDBOX_LIMITS
    const [unused] = this.#kept.values()
    if (!mayPushOut || unused === undefined || performance.now() - unused.usedAt < idleTime)
      throw new HttpError({
        status: 503,
        message:
          `There are already ${count} sandboxes. Forget one with DELETE /__sandbox; one without a request for ` +
          `${idleTime / 1000} seconds makes room for a request with a token.`,
        headers: RETRY_LATER,
      })
    const { name } = unused.sandbox
    this.#kept.delete(name)
    const [oldest] = this.#pushedOut
    if (this.#pushedOut.size >= remembered && oldest !== undefined) this.#pushedOut.delete(oldest)
    this.#pushedOut.add(name)
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
