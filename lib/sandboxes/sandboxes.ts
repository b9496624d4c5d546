import type { RequestHandler } from 'express'
import type { DataSource } from '../data/data-source'
import type { Data } from '../data/valid-data'
import { HttpError } from '../errors'
import type { Faults } from '../faults/faults'
import { checkNewCollections } from './check-collections'
import { HeapSize } from './heap-size'
import { Journal } from './journal'
import { LoadedData } from './loaded-data'
import { resourceSize } from './resource-size'
import { OWN_SIZE, SandboxData } from './sandbox-data'

/** The limits of all sandboxes together. */
export interface SandboxLimits {
  /** How many there can be. */
  count: number
  /** The memory that their data and their journals take at most, in bytes, as {@link HeapSize} bounds it. */
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
  /** What was asked of it. */
  readonly journal: Journal
  readonly data: SandboxData
  /** The timer that forgets it when nobody uses it. */
  readonly forgetting: NodeJS.Timeout
}

export type Sandboxes = ReturnType<typeof openSandboxes>

/** The sandboxes of a server, by name. */
export function openSandboxes({ data: main, createApp, limits = SANDBOX_LIMITS }: SandboxesOptions) {
  const sandboxes = new Map<string, Sandbox>()
  const heap = new HeapSize()
  let loaded = new LoadedData(main.state, heap)
  let users = loaded.copy('users')
  main.on('reload', () => {
    loaded = new LoadedData(main.state, heap)
    users = loaded.copy('users')
  })

  /** Forgets a sandbox with all its data. */
  function forget(name: string): void {
    clearTimeout(sandboxes.get(name)?.forgetting)
    sandboxes.delete(name)
  }

  /**
   * Measures the data only when it could have grown beyond the limit, and no more of it than it takes to know
   * better.
   *
   * @param added bytes that all sandboxes together will have more
   * @param replaced the name of the sandbox, if any, whose data goes
   */
  function hasRoom(added: number, replaced?: string): boolean {
    const others = [...sandboxes.values()].filter(({ name }) => name !== replaced)
    let size = others.reduce((sum, { data, journal }) => sum + data.greatestSize + journal.size, added)
    for (const { data } of others) {
      if (size <= limits.size) return true
      size -= data.greatestSize
      size += data.measure()
    }
    return size <= limits.size
  }

  /** @throws HttpError 503 when there is no room */
  function requireRoom(added: number, replaced?: string): void {
    if (!hasRoom(added, replaced))
      throw noRoom('The sandboxes together have more data than the server keeps.')
  }

  /**
   * Called before any work for a sandbox that is to begin.
   *
   * @param bytes how long the text of its collections is, as far as that is known
   * @throws HttpError 503 when there is no room
   */
  function admit(name: string, bytes = 0): void {
    if (sandboxes.size >= limits.count && !sandboxes.has(name))
      throw noRoom(`There are ${limits.count} sandboxes already.`)
    requireRoom(OWN_SIZE + bytes, name)
  }

  return {
    admit,
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
      admit(name)
      checkNewCollections(collections, loaded)
      const given = Object.values(collections).map((resource) => resourceSize(heap, resource))
      const size = given.reduce((sum, more) => sum + more, OWN_SIZE + loaded.sizeWithout(collections))
      requireRoom(size, name)
      const data = new SandboxData(loaded.copyWith(collections), size, heap, requireRoom)
      const sandbox: Sandbox = {
        name,
        data,
        journal: new Journal(hasRoom),
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
  return new HttpError({
    status: 503,
    message:
      `${reason} Forget one with DELETE /__sandbox; ` +
      'one that is not used for 30 minutes is forgotten by itself.',
    headers: { 'Retry-After': String(RETRY_AFTER) },
  })
}
