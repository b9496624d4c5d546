import type { Request, RequestHandler } from 'express'
import type { DataSource } from '../../data/data-source'
import { type Data, DataError } from '../../data/valid-data'
import { HttpError, RETRY_LATER } from '../../errors'
import type { HttpRequest } from '../../http/handler'
import { nearestName } from '../../nearest-name'
import { Faults } from '../faults/faults'
import { Journal } from './journal'
import { SandboxClock } from './sandbox-clock'
import { SandboxData } from './sandbox-data'

/** How many sandboxes there can be. */
export const SANDBOX_LIMITS = { count: 200 }

/** The server with its own data, for the requests that name this sandbox. */
export interface HostedSandbox {
  readonly name: string
  readonly data: SandboxData
  /** What was asked of it. */
  readonly journal: Journal
  /** The rules by which its requests fail. */
  faults: Faults
  readonly clock: SandboxClock
  /** Whether a test has set its rules, its time or its sessions. */
  isSet: boolean
  /** Whether a request that may control sandboxes has named it: another may not push it out. */
  isKept: boolean
  /** Made for the first request that needs it: a sandbox is often reset before that. */
  readonly server: () => SandboxServer
}

/** What runs in a sandbox. */
interface SandboxServer {
  readonly app: RequestHandler
  /** Its sessions, as a test can change them. */
  readonly sessions: { refreshOnce: boolean; readonly ended: { endAll(): void } }
  readonly tokenFor: TokenFor
  /** Tells whose a request is: others do not see it in the journal. Default: everybody sees all. */
  readonly viewerOf?: ((request: Request) => string) | undefined
}

/** Logs in whoever a body names, as the application does; undefined for nobody. */
export type TokenFor = (request: HttpRequest) => Promise<string | undefined>

export interface SandboxesOptions {
  /** The main data: a sandbox has what was last loaded of it. */
  data: DataSource
  /** That of the server, in milliseconds since the epoch. */
  clock: () => number
  /** Makes what runs in a sandbox: the same as for the main data. */
  createServer: (sandbox: HostedSandbox) => SandboxServer
}

interface Entering {
  /** Whether the request may control sandboxes, because it has a token, or none is needed. */
  mayControl: boolean
}

/** The sandboxes of a server, by name. Each is there from the first request that names it. */
export class Sandboxes {
  /** The one that was used last comes last. */
  readonly #all = new Map<string, HostedSandbox>()
  readonly #options: SandboxesOptions

  constructor(options: SandboxesOptions) {
    this.#options = options
  }

  /**
   * Gives the sandbox of a name.
   *
   * @throws HttpError 503 when there is no room for it
   */
  enter(name: string, { mayControl }: Entering): HostedSandbox {
    const sandbox = this.#all.get(name) ?? this.#make(name, {})
    this.#put(sandbox, mayControl)
    sandbox.data.follow()
    return sandbox
  }

  /** Gives the sandbox of a name to a test, which sets something in it. */
  set(name: string): HostedSandbox {
    const sandbox = this.enter(name, { mayControl: true })
    sandbox.isSet = true
    return sandbox
  }

  /**
   * Puts a sandbox with the loaded data in the place of the one of this name.
   *
   * @param collections take the place of those of the loaded data
   * @throws DataError when the loaded data has none of the same name, or json-server could not serve them
   */
  reset(name: string, collections: Data): void {
    this.#put(this.#make(name, collections), true)
  }

  /** Forgets a sandbox with all its data. Whoever listens to it begins again with what takes its place. */
  forget(name: string): void {
    const sandbox = this.#all.get(name)
    this.#all.delete(name)
    sandbox?.data.close()
  }

  #make(name: string, collections: Data): HostedSandbox {
    const { data: main, clock, createServer } = this.#options
    const isGiven = Object.keys(collections).length > 0
    const data = new SandboxData(main, isGiven ? withCollections(main.loaded, collections) : undefined)
    let server: SandboxServer | undefined
    const sandbox: HostedSandbox = {
      name,
      data,
      journal: new Journal(),
      faults: new Faults([]),
      clock: new SandboxClock(clock),
      isSet: false,
      isKept: false,
      server: () => (server ??= createServer(sandbox)),
    }
    return sandbox
  }

  /** Puts a sandbox last, in the place of the one of its name. */
  #put(sandbox: HostedSandbox, mayControl: boolean): void {
    const { name } = sandbox
    if (mayControl) sandbox.isKept = true
    const known = this.#all.get(name)
    if (known === undefined && this.#all.size >= SANDBOX_LIMITS.count) this.#makeRoom(mayControl)
    if (known === sandbox) this.#all.delete(name)
    else this.forget(name)
    this.#all.set(name, sandbox)
  }

  /**
   * Forgets the one that was unused longest: of those that are of no use to a test, if there is one. For a request that
   * may control none, no other makes room.
   */
  #makeRoom(mayControl: boolean): void {
    const [oldest] = this.#all.values()
    let unused = mayControl ? oldest : undefined
    for (const sandbox of this.#all.values())
      if (!sandbox.isSet && !sandbox.data.isChanged && (mayControl || !sandbox.isKept)) {
        unused = sandbox
        break
      }
    if (unused === undefined)
      throw new HttpError({
        status: 503,
        message:
          `There are already ${SANDBOX_LIMITS.count} sandboxes that were changed, or named with a token: forget one ` +
          'with DELETE /__sandbox, or send a token, for which the one that was unused longest makes room.',
        headers: RETRY_LATER,
      })
    this.forget(unused.name)
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
