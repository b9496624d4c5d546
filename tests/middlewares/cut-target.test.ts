import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, authorized, json, logIn, serve, until } from '../support/http'

/** Listens without this project's own `listen`, as `app.listen` does. */
async function serveByNode(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: Partial<AddressInfo> = Object(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The targets that the user's own middleware has seen. */
const seen: string[] = []

function makeApp({ log = false } = {}) {
  return createApp({
    data: sampleData(),
    log,
    secret: 'the same for all of these servers',
    routes: { '/api/*': '/$1' },
    middlewares: [
      (request, _response, next) => {
        seen.push(request.originalUrl, request.url)
        next()
      },
    ],
  })
}

let headers: Record<string, string>

beforeAll(async () => {
  const server = await serve(makeApp())
  headers = authorized(await logIn(server.url))
  await server.close()
})
beforeEach(() => {
  seen.length = 0
})

describe.each([
  ['listen', '', () => serve(makeApp())],
  ['app.listen', '', () => serveByNode(makeApp())],
  ['an application of Express', '/mock', () => serveByNode(express().use('/mock', makeApp()))],
] as const)('an absolute target, with %s', (_title, prefix, start) => {
  it('is served as its path, to rules, links and middlewares', async () => {
    const server = await start()
    for (const scheme of ['http', 'HTTPS']) {
      const path = `${scheme}://elsewhere:1234${prefix}/api/posts?_page=1&_limit=1`
      const answer = await ask(server.url, { path, headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.link).not.toContain('elsewhere')
      expect(json(answer)).toEqual([expect.objectContaining({ id: 1 })])
    }
    expect(seen.every((target) => target.startsWith('/'))).toBe(true)
    expect(seen).toHaveLength(4)
    await server.close()
  })

  it('needs a token as its path does', async () => {
    const server = await start()
    expect((await ask(server.url, { path: `http://elsewhere${prefix}/users` })).status).toBe(401)
    expect((await ask(server.url, { path: `http://elsewhere${prefix}/blogs/1` })).status).toBe(200)
    await server.close()
  })
})

test.each(['foo://elsewhere/blogs', 'http:///blogs', '/blogs#x', 'http://elsewhere/blogs#x'])(
  '%s is no path: a JSON 400',
  async (path) => {
    for (const start of [serve, serveByNode]) {
      const server = await start(makeApp())
      const answer = await ask(server.url, { path })
      expect(answer.status).toBe(400)
      expect(json(answer)).toEqual({ error: expect.any(String) })
      await server.close()
    }
  },
)

test('the log has no line for what is no path, which may hold a password', async () => {
  const lines: string[] = []
  const log = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  const server = await serveByNode(makeApp({ log: true }))
  const { status } = await ask(server.url, { path: 'foo://ada:lovelace@elsewhere/blogs' })
  await ask(server.url, { path: '/blogs' })
  await until(() => lines.length > 0)
  log.mockRestore()
  await server.close()
  expect(status).toBe(400)
  expect(lines).toEqual([expect.stringMatching(/^GET \/blogs /)])
})
