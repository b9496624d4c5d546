import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../lib/is-record'
import { Child } from './child'
import { commandFor } from './commands'
import { credentials, dataFile } from './data'
import { exchange } from './exchange'
import { freePort } from './free-port'
import type { Contestant } from './row'
import { newFolder } from './temporary-folder'
import type { RequestContext, Workload } from './workload'

/** A server that takes requests. */
export class Server {
  readonly #numbers = new Map<Workload, number>()

  private constructor(
    readonly contestant: Contestant,
    readonly port: number,
    readonly context: RequestContext,
    private readonly child: Child,
  ) {}

  /**
   * Starts a server on data of its own.
   *
   * @param sameBytes the folder with what the servers for comparison send
   */
  static async start(contestant: Contestant, sameBytes: string): Promise<Server> {
    const folder = await newFolder()
    await writeFile(path.join(folder, 'db.json'), dataFile(contestant.size))
    const port = await freePort()
    const child = new Child(commandFor(contestant, { port, folder, sameBytes }))
    await child.answers(port, '/blogs/1')
    const { headers } = await exchange(port, { method: 'HEAD', path: '/blogs' })
    const context = {
      size: contestant.size,
      authorization: contestant.kind === 'ours' ? await logIn(port) : {},
      listTag: String(headers.etag),
    }
    return new Server(contestant, port, context, child)
  }

  /** Resident memory in bytes. */
  get residentMemory(): number {
    return this.child.residentMemory
  }

  /** The number for the next request of a kind: two requests never delete the same record. */
  nextNumber(workload: Workload): number {
    const number = this.#numbers.get(workload) ?? 0
    this.#numbers.set(workload, number + 1)
    return number
  }

  /** How many records have come or gone since the start. */
  get drift(): number {
    let drift = 0
    for (const [{ drifts }, number] of this.#numbers) if (drifts) drift += number
    return drift
  }

  /** Writes down what this server answers, for the servers that should send the same. */
  async saveBytes(): Promise<string> {
    const folder = await newFolder()
    const { authorization } = this.context
    const list = await exchange(this.port, { method: 'GET', path: '/blogs' })
    const user = await exchange(this.port, { method: 'GET', path: '/users/5', headers: authorization })
    await writeFile(path.join(folder, 'list.json'), list.body)
    await writeFile(path.join(folder, 'user.json'), user.body)
    return folder
  }

  async end(): Promise<void> {
    await this.child.end()
  }
}

async function logIn(port: number): Promise<Record<string, string>> {
  const body = JSON.stringify(credentials(1))
  const headers = { 'Content-Type': 'application/json' }
  const answer = await exchange(port, { method: 'POST', path: '/auth/login', headers, body })
  const reply: unknown = JSON.parse(answer.body.toString())
  if (!isRecord(reply) || typeof reply.access_token !== 'string') {
    throw new Error(`The login was answered with ${answer.status}: ${answer.body}. Does server.ts work?`)
  }
  return { Authorization: `Bearer ${reply.access_token}` }
}
