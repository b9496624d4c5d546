import type { RequestHandler } from 'express'
import type { DataSource } from '../data/data-source'
import type { Data } from '../data/valid-data'
import { HttpError } from '../errors'
import { checkNewCollections } from './check-collections'
import type { Faults } from './faults'
import { SandboxData } from './sandbox-data'

/** The limits of all sandboxes together. */
export interface SandboxLimits {
  /** How many there can be. */
  count: number
  /** The size of their data, as {@link SandboxData} measures it. */
  size: number
  /** Milliseconds after which an unused one is forgotten. */
  idleTime: number
}

export const SANDBOX_LIMITS: SandboxLimits = {
  count: 200,
  size: 256 * 1024 * 1024,
  idleTime: 30 * 60 * 1000,
}

/** Seconds after which a client may try again to begin a sandbox. */
const RETRY_AFTER = 60

export interface SandboxesOptions {
  /** The main data: sandboxes begin with a copy of it, as it was last loaded. */
  data: DataSource
  /** Makes the application that a sandbox runs in: the same as the main one, with other data. */
  createApp: (data: DataSource) => RequestHandler
  /** Default: 200 sandboxes, 256 MB, 30 minutes. */
  limits?: SandboxLimits
}

/** The application with its own data and faults, for the requests that name this sandbox. */
export interface Sandbox {
  readonly name: string
  readonly application: RequestHandler
  /** By which its requests fail. Default: none. */
  faults?: Faults
  readonly data: SandboxData
  /** The timer that forgets it when nobody uses it. */
  readonly forgetting: NodeJS.Timeout
}

export type Sandboxes = ReturnType<typeof openSandboxes>

/** The sandboxes of a server, by name. */
export function openSandboxes({ data: main, createApp, limits = SANDBOX_LIMITS }: SandboxesOptions) {
  const sandboxes = new Map<string, Sandbox>()
  /** The main data as it was last loaded: as a string, because the data itself is changed in place. */
  let loaded = ''
  let users: unknown

  function load(): void {
    loaded = JSON.stringify(main.state)
    users = copyLoaded().users
  }
  load()
  main.on('reload', load)

  function copyLoaded(): Data {
    return JSON.parse(loaded)
  }

  /** Forgets a sandbox with all its data. */
  function forget(name: string): void {
    clearTimeout(sandboxes.get(name)?.forgetting)
    sandboxes.delete(name)
  }

  /**
   * Measures the data only when it could have grown beyond the limit, because measuring it means serialising it.
   *
   * @param replaced the sandbox, if any, whose place is taken by one of this size
   */
  function requireRoom(replaced?: string, added = 0): void {
    const others = [...sandboxes.values()].filter(({ name }) => name !== replaced)
    const fits = (sizeOf: (data: SandboxData) => number) =>
      others.reduce((sum, { data }) => sum + sizeOf(data), added) <= limits.size
    if (!fits((data) => data.greatestSize) && !fits((data) => data.measure()))
      throw noRoom('The sandboxes together have more data than the server keeps.')
  }

  return {
    forget,

    /** The users that a sandbox begins with. */
    loadedUsers: (): readonly unknown[] => (Array.isArray(users) ? users : []),

    /** The sandbox of this name, if it exists. */
    get(name: string): Sandbox | undefined {
      const sandbox = sandboxes.get(name)
      sandbox?.forgetting.refresh()
      return sandbox
    },

    /**
     * Begins a sandbox with the loaded data; one of this name is replaced.
     *
     * @param collections take the place of those of the loaded data
     * @throws DataError when json-server could not serve them, or as {@link checkNewCollections}
     * @throws HttpError 503 when there is no room
     */
    begin(name: string, collections: Data = {}): Sandbox {
      if (sandboxes.size >= limits.count && !sandboxes.has(name))
        throw noRoom(`There are ${limits.count} sandboxes already.`)
      const first = copyLoaded()
      checkNewCollections(collections, first)
      const data = new SandboxData({ ...first, ...collections }, requireRoom)
      requireRoom(name, data.measure())
      const sandbox: Sandbox = {
        name,
        data,
        application: createApp(data),
        forgetting: setTimeout(() => forget(name), limits.idleTime).unref(),
      }
      forget(name)
      sandboxes.set(name, sandbox)
      return sandbox
    },
  }
}

function noRoom(reason: string): HttpError {
  return new HttpError(
    503,
    `${reason} Forget one with DELETE /__sandbox; one that is not used for 30 minutes is forgotten by itself.`,
    { 'Retry-After': String(RETRY_AFTER) },
  )
}
