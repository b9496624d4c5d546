import path from 'node:path'
import type { RequestHandler } from 'express'
import { type AppOptions, createApp } from '../../server'
import { sampleData, tempFolders } from '../support/data'
import { type Answer, ask, authorized, json, logIn, serve, type TestServer } from '../support/http'
import { servePlain } from '../support/json-server'

/** json-server's own command takes its page from here if it has no other folder. */
const ITS_PUBLIC = path.resolve('node_modules/json-server/public')
const RULES = { '/': '/posts', '/style.css': '/posts' }

const newFolder = tempFolders()
const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: Partial<AppOptions> = {}): Promise<string> {
  const server = await serve(createApp({ data: sampleData(), allow: 'all', log: false, ...options }))
  servers.push(server)
  return server.url
}

async function startPlain(routes: Record<string, string>): Promise<string> {
  const server = await servePlain(sampleData(), { static: ITS_PUBLIC, routes })
  servers.push(server)
  return server.url
}

/** All that a client can see, but for the headers that differ everywhere (docs/json-server.md). */
function seen({ status, text, headers }: Answer): object {
  const { date: _date, 'x-powered-by': _express, 'keep-alive': _idle, ...others } = headers
  return { status, text, others }
}

describe("json-server's home page, where all is allowed", () => {
  it.each(['GET /', 'HEAD /', 'GET /index.html', 'GET /script.js', 'GET /style.css', 'GET /favicon.ico'])(
    '%s is as there, whatever the rules say',
    async (line) => {
      const [method = '', target = ''] = line.split(' ')
      const headers = { 'Accept-Encoding': 'gzip', Origin: 'http://localhost:3000' }
      const [theirs, ours] = await Promise.all(
        [await startPlain(RULES), await start({ routes: RULES })].map((url) =>
          ask(url, { method, path: target, headers }),
        ),
      )
      if (theirs === undefined || ours === undefined) throw new Error('No response.')
      expect(theirs.status).toBe(200)
      expect(seen(ours)).toEqual(seen(theirs))
    },
  )

  it('any other method and path is passed on', async () => {
    const url = await start()
    for (const [method, target] of [
      ['POST', '/'],
      ['GET', '/package.json'],
      ['GET', '/Script.js'],
      ['GET', '/..%2fpackage.json'],
    ] as const)
      expect([method, target, (await ask(url, { method, path: target })).status]).toEqual([
        method,
        target,
        404,
      ])
  })

  it('a resource comes first', async () => {
    const url = await start({ data: { 'script.js': [{ id: 1 }], posts: [] } })
    expect(json(await ask(url, { path: '/script.js' }))).toEqual([{ id: 1 }])
  })
})

describe('beside a static folder of the user', () => {
  it('is there, because scripts wait for it, but after rules, middlewares and resources', async () => {
    const folder = await newFolder()
    const passOn: RequestHandler = (_request, _response, next) => next()
    const url = await start({ static: folder, middlewares: [passOn] })
    expect((await ask(url, { path: '/' })).text).toContain('<title>JSON Server</title>')

    expect(json(await ask(await start({ static: folder, routes: RULES }), { path: '/' }))).toHaveLength(2)

    const greet: RequestHandler = (request, response, next) => {
      if (request.path === '/') response.send('Hello')
      else next()
    }
    expect((await ask(await start({ static: folder, middlewares: [greet] }), { path: '/' })).text).toBe(
      'Hello',
    )
  })
})

test('where requests need a token, / is a 401, and with one a 404', async () => {
  const url = await start({ allow: ['GET /posts'] })
  expect((await ask(url, { path: '/' })).status).toBe(401)
  expect((await ask(url, { path: '/script.js' })).status).toBe(401)
  expect((await ask(url, { path: '/', headers: authorized(await logIn(url)) })).status).toBe(404)
})
