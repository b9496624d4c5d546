import type { RequestHandler } from 'express'
import type { DataSource } from '../data/data-source'
import type { Data } from '../data/valid-data'
import type { Faults } from '../faults/faults'
import { checkNewCollections } from './check-collections'
import { Journal } from './journal'
import { SANDBOX_LIMITS, type SandboxLimits } from './limits'
import { LoadedData } from './loaded-data'
import { HeapSize } from './memory/heap-size'
import { resourceSize } from './memory/resource-size'
import { Room } from './memory/room'
import { OWN_SIZE, SandboxData } from './sandbox-data'

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
  const room = new Room(sandboxes, limits)
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
   * Called before any work for a sandbox that is to begin.
   *
   * @param bytes how long the text of its collections is, as far as that is known
   * @throws HttpError 503 when there is no room
   */
  function admit(name: string, bytes = 0): void {
    room.admit(name, OWN_SIZE + bytes)
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
      checkNewCollections(collections, loaded)
      const given = Object.values(collections).map((resource) => resourceSize(heap, resource))
      const size = given.reduce((sum, more) => sum + more, OWN_SIZE + loaded.sizeWithout(collections))
      room.admit(name, size)
      const data = new SandboxData(loaded.copyWith(collections), size, heap, (added) => room.require(added))
      const sandbox: Sandbox = {
        name,
        data,
        journal: new Journal((added) => room.has(added)),
        application: createApp(data),
        forgetting: setTimeout(() => forget(name), limits.idleTime).unref(),
      }
      forget(name)
      sandboxes.set(name, sandbox)
      return sandbox
    },
  }
}
