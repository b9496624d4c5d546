import { DataFile } from '../../lib/data/data-file'
import type { AppOptions } from '../../server'
import { authorized, logIn } from './helpers'
import { type Answer, ask } from './requests'
import { serveApp } from './serve-app'

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

  /** An application over a data file. */
  async function open(file: string): Promise<TestApp & { data: DataFile; warn: jest.Mock }> {
    const warn = jest.fn()
    const data = DataFile.open(file, { warn })
    closing.push(() => data.close())
    return { ...(await start({ data })), data, warn }
  }

  return { start, open }
}
