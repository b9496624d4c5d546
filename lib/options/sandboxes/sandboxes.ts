import type { RequestHandler } from 'express'
import { formatDuration } from '../../auth/format-duration'
import { type DataSource, MemoryData } from '../../data/data-source'
import type { Data } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { requireHalfOfHeap } from '../../http/heap-room'
import { Journal } from './journal'
import { SANDBOX_LIMITS, type SandboxLimits } from './limits'
import { LoadedData } from './loaded-data'

export interface SandboxesOptions {
  /** The main data: sandboxes begin with a copy of it, as it was last loaded. */
  data: DataSource
  /** Makes the application that a sandbox runs in: the same as the main one, with other data. */
  createApp: (data: DataSource) => RequestHandler
  /** Default: 200 sandboxes, 30 minutes. */
  limits?: SandboxLimits
}

/** The application with its own data, for the requests that name this sandbox. */
export interface Sandbox {
  readonly name: string
  readonly application: RequestHandler
  /** What was asked of it. */
  readonly journal: Journal
  /** The timer that forgets it when nobody uses it. */
  readonly forgetting: NodeJS.Timeout
}

export type Sandboxes = ReturnType<typeof openSandboxes>

/** The sandboxes of a server, by name. */
export function openSandboxes({ data: main, createApp, limits = SANDBOX_LIMITS }: SandboxesOptions) {
  const sandboxes = new Map<string, Sandbox>()
  let loaded = new LoadedData(main.state)
  let users = loaded.copy('users')
  main.on('reload', () => {
    loaded = new LoadedData(main.state)
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
   * @throws HttpError 503 when there are too many, or there is no room
   */
  function admit(name: string): void {
    if (sandboxes.size >= limits.count && !sandboxes.has(name))
      throw new HttpError({
        status: 503,
        message:
          `There are already ${limits.count} sandboxes. Forget one with DELETE /__sandbox; one that is not ` +
          `used for ${formatDuration(limits.idleTime / 1000)} is forgotten automatically.`,
        headers: { 'Retry-After': '60' },
      })
    requireHalfOfHeap()
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
     * @throws DataError when the loaded data has none of the same name, or json-server could not serve them
     * @throws HttpError 503 when there are too many sandboxes, or there is no room
     */
    begin(name: string, collections: Data = {}): Sandbox {
      admit(name)
      const sandbox: Sandbox = {
        name,
        journal: new Journal(),
        application: createApp(new MemoryData(loaded.copyWith(collections), { isShared: false })),
        forgetting: setTimeout(() => forget(name), limits.idleTime).unref(),
      }
      forget(name)
      sandboxes.set(name, sandbox)
      return sandbox
    },
  }
}
