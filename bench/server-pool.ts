import type { Contestant } from './row'
import { Server } from './server'

/** The share of its records by which a server may have grown or shrunk and still counts as one of its size. */
const LARGEST_DRIFT = 0.2

/** The servers of a scene. */
export class ServerPool {
  readonly #servers = new Map<string, Server>()
  #sameBytes = ''

  /** Starts a server for each contestant; contestants that are alike share one. */
  static async start(contestants: readonly Contestant[]): Promise<ServerPool> {
    const pool = new ServerPool()
    try {
      const [first] = contestants
      if (first !== undefined) {
        // First of all: the servers for comparison send what it sends.
        pool.#sameBytes = await (await pool.#start(first)).saveBytes()
      }
      const others = new Map(contestants.map((contestant) => [keyOf(contestant), contestant]))
      if (first !== undefined) others.delete(keyOf(first))
      await Promise.all([...others.values()].map((contestant) => pool.#start(contestant)))
      return pool
    } catch (error) {
      await pool.end()
      throw error
    }
  }

  get servers(): Server[] {
    return [...this.#servers.values()]
  }

  /**
   * The server for a contestant, started anew on fresh data when a measurement would change its size too much.
   *
   * @param changes how many records the measurement may add or remove
   */
  async ready(contestant: Contestant, changes: number): Promise<Server> {
    const server = this.#servers.get(keyOf(contestant))
    if (server !== undefined && server.drift + changes <= contestant.size * LARGEST_DRIFT) return server
    await server?.end()
    return this.#start(contestant)
  }

  async end(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()))
  }

  async #start(contestant: Contestant): Promise<Server> {
    const server = await Server.start(contestant, this.#sameBytes)
    this.#servers.set(keyOf(contestant), server)
    return server
  }
}

function keyOf({ kind, size }: Contestant): string {
  return `${kind} ${size}`
}
