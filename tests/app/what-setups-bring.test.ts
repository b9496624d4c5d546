import type { Data } from '../../lib/data/valid-data'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  json,
  logIn,
  question,
  type TestServer,
  withHeaders,
} from '../support/http'
import { type ReferenceOptions, servePlain } from '../support/json-server'

/** Rules, middlewares and names that people bring from json-server. Each test is named after what they bring. */

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Send = (line: string, headers?: Record<string, string>) => Promise<Answer>

async function start(options: Partial<AppOptions> = {}, data: Data = sampleData()): Promise<Send> {
  const server = await serveApp({ data, allow: 'all', ...options })
  servers.push(server)
  return (line, headers = {}) => ask(server.url, withHeaders(question(line), headers))
}

async function startPlain(options: ReferenceOptions = {}, data: Data = sampleData()): Promise<Send> {
  const server = await servePlain(data, options)
  servers.push(server)
  return (line, headers = {}) => ask(server.url, withHeaders(question(line), headers))
}

describe('names such as x+y, a:b, näme, my list', () => {
  const NAMES = ['x+y', 'a:b', 'näme', 'my list', '日本', 'faq?', '50%', 'a#b', 'a(b)', "it's"]

  it.each(NAMES)('%s is found, encoded by every client in its way', async (name) => {
    const data = { [name]: [{ id: 1, userId: 1 }], users: [{ id: 1 }] }
    const send = await start({}, data)
    const encoded = encodeURIComponent(name)
    const spellings = [
      encoded,
      encoded.toLowerCase(),
      new URL(`http://localhost/${encoded}`).pathname.slice(1),
    ]
    for (const spelling of spellings) {
      expect(json(await send(`GET /${spelling}`))).toEqual([{ id: 1, userId: 1 }])
      expect(json(await send(`GET /${spelling}/1`))).toEqual({ id: 1, userId: 1 })
      expect(json(await send(`GET /${spelling}?_page=1&_expand=user`))).toEqual([
        { id: 1, userId: 1, user: { id: 1 } },
      ])
    }
    const created = await send(`POST /${encoded} {"userId": 2}`)
    expect([created.status, created.headers.location]).toEqual([201, expect.stringMatching(/\/2$/)])
    expect((await send(`GET ${new URL(created.headers.location ?? '').pathname}`)).status).toBe(200)
    expect((await send(`PATCH /${encoded}/2 {"userId": 1}`)).status).toBe(200)
    expect((await send(`DELETE /${encoded}/2`)).status).toBe(200)
  })

  it('is found as it is, where a request can hold it', async () => {
    const send = await start({}, { 'a:b': [{ id: 1 }], 'x+y': [{ id: 2 }] })
    expect(json(await send('GET /a:b/1'))).toEqual({ id: 1 })
    expect(json(await send('GET /x+y'))).toEqual([{ id: 2 }])
  })

  it('is found through a record', async () => {
    const send = await start(
      {},
      { users: [{ id: 1 }], näme: [{ id: 1, userId: 1 }], 'x+y': [{ id: 2, userId: 1 }] },
    )
    expect(json(await send('GET /users/1/n%C3%A4me'))).toEqual([{ id: 1, userId: 1 }])
    expect(json(await send('GET /users/1/x%2By'))).toEqual([{ id: 2, userId: 1 }])
  })

  it('an ordinary name is found by no other spelling, as there', async () => {
    const [ours, plain] = [await start(), await startPlain()]
    for (const path of ['/p%6Fsts', '/%70osts/1', '/posts%20', '/%E0%A4%A', '/nope%2By'])
      expect([path, (await ours(`GET ${path}`)).status]).toEqual([
        path,
        (await plain(`GET ${path}`)).status === 404 ? 404 : 400,
      ])
  })

  it('a rule of --allow opens no other spelling', async () => {
    const data = { ...sampleData(), 'my list': [{ id: 1 }] }
    const server = await serveApp({ data, allow: ['GET /posts', 'GET /my'] })
    servers.push(server)
    for (const path of ['/my%20list', '/my%20list/1', '/p%6Fsts'])
      expect((await ask(server.url, { path })).status).toBe(401)
    const headers = authorized(await logIn(server.url))
    expect((await ask(server.url, { path: '/my%20list', headers })).status).toBe(200)
  })
})
