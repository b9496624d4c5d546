import { Agent, request } from 'node:http'
import { ADA } from '../support/data'

/** Something that clients send over and over. */
export interface Errand {
  method?: string
  path: string
  token?: string
  body?: unknown
}

/** Requests without a pause from several clients at once. */
export class Traffic {
  /** Responses with a 2xx status. */
  answered = 0
  /** Everything else: other responses, refused connections, lost requests. */
  readonly failures: string[] = []
  /** Connections made by the clients that keep theirs; one each, unless the server drops one. */
  readonly kept = new Set<string>()
  readonly #clients: Promise<void>[] = []
  #stopping = false

  /** Every other client keeps its connection; the rest make one for each request. */
  constructor(url: string, clients: number, errands: readonly Errand[]) {
    for (let client = 0; client < clients; client += 1) {
      this.#clients.push(this.#run(url, errands, client))
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#clients)
  }

  async #run(url: string, errands: readonly Errand[], client: number): Promise<void> {
    const keeps = client % 2 === 0
    const agent = keeps ? new Agent({ keepAlive: true, maxSockets: 1 }) : new Agent({ keepAlive: false })
    for (let turn = client; !this.#stopping; turn += 1) {
      const errand = errands[turn % errands.length]
      if (errand === undefined) throw new Error('No errands.')
      const outcome = await this.#send(url, errand, agent, keeps ? client : undefined)
      if (outcome === undefined) this.answered += 1
      else this.failures.push(`${errand.method ?? 'GET'} ${errand.path}: ${outcome}`)
    }
    agent.destroy()
  }

  /** @returns the error, if there was one */
  #send(
    url: string,
    { method, path, token, body }: Errand,
    agent: Agent,
    keeper: number | undefined,
  ): Promise<string | undefined> {
    return new Promise((resolve) => {
      const headers = {
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      }
      const outgoing = request(url + path, { method, agent, headers }, (response) => {
        const status = response.statusCode ?? 0
        if (keeper !== undefined) this.kept.add(`${keeper} ${response.socket.localPort}`)
        response.resume()
        response.on('error', (error) => resolve(String(error)))
        response.on('end', () => resolve(status >= 200 && status < 300 ? undefined : `status ${status}`))
      })
      outgoing.on('error', (error) => resolve(String(error)))
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
}

/** Reads of every kind, and logins. */
export function readingErrands(token: string): Errand[] {
  return [
    { path: '/blogs' },
    { path: '/posts', token },
    { path: '/posts/1', token },
    { path: '/blogs/1' },
    { path: '/db', token },
    { method: 'HEAD', path: '/tags', token },
    { method: 'POST', path: '/auth/login', body: ADA },
  ]
}
