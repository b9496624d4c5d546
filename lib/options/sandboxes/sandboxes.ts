import type { RequestHandler } from 'express'
import { storedCredentials } from '../../auth/credentials'
import { type DataSource, MemoryData } from '../../data/data-source'
import { type Data, DataError } from '../../data/valid-data'
import { HttpError } from '../../errors'
import { requireMemory } from '../../memory'
import { nearestName } from '../../nearest-name'
import { Journal } from './journal'

/** How many sandboxes there can be, and the milliseconds after which an unused one is forgotten. */
export const SANDBOX_LIMITS = { count: 200, idleTime: 30 * 60 * 1000 }

export interface SandboxesOptions {
  /** The main data: sandboxes begin with a copy of it, as it was last loaded. */
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
  /** The timer that forgets it when nobody uses it. */
  readonly forgetting: NodeJS.Timeout
}

export type Sandboxes = ReturnType<typeof openSandboxes>

export type RequestSandbox = NonNullable<ReturnType<Sandboxes['of']>>

/** The sandboxes of a server, by name. */
export function openSandboxes({ data: main, createApp }: SandboxesOptions) {
  const sandboxes = new Map<string, Sandbox>()
  // As text, because the data itself is changed in place. A copy has what clients see of it.
  let loaded: string
  let users: readonly unknown[]
  const load = (): void => {
    loaded = JSON.stringify(main.state)
    users = storedCredentials(main.state.users).map(({ email, password }) => ({ email, password }))
  }
  load()
  main.on('reload', load)

  /** Forgets a sandbox with all its data. */
  function forget(name: string): void {
    clearTimeout(sandboxes.get(name)?.forgetting)
    sandboxes.delete(name)
  }

  /** The sandbox of this name, if it exists. */
  function get(name: string): Sandbox | undefined {
    const sandbox = sandboxes.get(name)
    sandbox?.forgetting.refresh()
    return sandbox
  }

  /**
   * Begins a sandbox with the loaded data; one of this name is replaced.
   *
   * @param collections take the place of those of the loaded data
   * @throws DataError when the loaded data has none of the same name, or json-server could not serve them
   * @throws HttpError 503 when there are too many sandboxes, or there is no room
   */
  function begin(name: string, collections: Data = {}): Sandbox {
    const { count, idleTime } = SANDBOX_LIMITS
    if (sandboxes.size >= count && !sandboxes.has(name))
      throw new HttpError({
        status: 503,
        message:
          `There are already ${count} sandboxes. Forget one with DELETE /__sandbox; one that is not ` +
          `used for ${idleTime / 60_000} minutes is forgotten automatically.`,
        headers: { 'Retry-After': '60' },
      })
    requireMemory()
    const data = new MemoryData(withCollections(JSON.parse(loaded), collections), { isShared: false })
    let application: RequestHandler | undefined
    const sandbox: Sandbox = {
      name,
      journal: new Journal(),
      application: () => (application ??= createApp(data)),
      forgetting: setTimeout(() => forget(name), idleTime).unref(),
    }
    forget(name)
    sandboxes.set(name, sandbox)
    return sandbox
  }

  /** The sandbox that a request names, which may not exist yet. */
  function sandboxOfRequest(name: string) {
    let current = get(name)
    return {
      name,
      /**
       * The sandbox that existed when the request arrived, or that the request has begun. Resetting it does
       * not change this one.
       */
      get current() {
        return current
      },
      /** Whether it exists. Until then, requests are for the main data. */
      get hasBegun() {
        return current !== undefined
      },
      /** Who can log in to a sandbox that does not exist yet; undefined if it exists, with its own users. */
      get firstUsers() {
        return current === undefined ? users : undefined
      },
      /**
       * Begins the sandbox, unless it exists.
       *
       * @throws HttpError 503 when there is no room
       */
      begin() {
        current ??= get(name) ?? begin(name)
        return current
      },
    }
  }

  const ofRequests = new WeakMap<object, ReturnType<typeof sandboxOfRequest>>()
  return {
    begin,
    forget,
    /** Makes a sandbox the one that a request is for. */
    choose: (request: object, name: string) => ofRequests.set(request, sandboxOfRequest(name)),
    /** The sandbox that a request is for; undefined when it is for the main data. */
    of: (request: object) => ofRequests.get(request),
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
