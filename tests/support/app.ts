import { DataSource } from '../../lib/data/data-source'
import { type AppOptions, createApp } from '../../server'
import { memoryData } from './data'
import { type Answer, ask, authorized, logIn, serve, type TestServer } from './http'
import { openKept } from './kept-data'

/** Serves an application on a free port. The stored records of data that is given as an object are frozen. */
export function serveApp(options: AppOptions): Promise<TestServer> {
  const data = options.data instanceof DataSource ? options.data : memoryData(options.data)
  return serve(createApp({ log: false, ...options, data }))
}

/** A whole application that listens, and a client that is logged in. */
export interface TestApp {
  url: string
  send(method: string, path: string, body?: unknown): Promise<Answer>
}

/** Starts applications for the tests of a file, and stops them after each test. */
export function testApps() {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  async function start(options: AppOptions): Promise<TestApp> {
    const server = await serveApp({ ...options })
    closing.push(() => server.close())
    const headers = authorized(await logIn(server.url))
    return {
      url: server.url,
      send: (method, path, body) =>
        ask(server.url, {
          method,
          path,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
    }
  }

  /** An application over a data file, or a folder of them. */
  async function open(source: string): Promise<TestApp & { data: DataSource; warn: jest.Mock }> {
    const warn = jest.fn()
    const data = openKept(source, warn)
    closing.push(() => data.close())
    return { ...(await start({ data })), data, warn }
  }

  return { start, open }
}
