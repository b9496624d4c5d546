import { MemoryData } from '../../lib/data/data-source'
import { createApp } from '../../server'
import { ADA } from '../support/data'
import { logIn, serve, type TestServer } from '../support/http'

/** A server with a document. */
export interface Documented {
  url: string
  data: MemoryData
  authorization: { Authorization: string }
}

/** The data, with a user who can log in. */
export function withAda(data: Record<string, unknown>): Record<string, unknown> {
  return { ...data, users: [...(Array.isArray(data.users) ? data.users : []), { id: 99, ...ADA }] }
}

/** Starts servers with a document for the tests of a file, and stops them after all of them. */
export function documentedServers() {
  const servers: TestServer[] = []
  afterAll(async () => {
    for (const server of servers) await server.close()
  })

  return async (data: Record<string, unknown>, options: object = {}): Promise<Documented> => {
    const source = new MemoryData(withAda(data))
    const server = await serve(createApp({ data: source, docs: true, log: false, ...options }))
    servers.push(server)
    return {
      url: server.url,
      data: source,
      authorization: { Authorization: `Bearer ${await logIn(server.url)}` },
    }
  }
}
