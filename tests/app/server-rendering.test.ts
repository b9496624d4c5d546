import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { openSandbox } from '../../lib/testing'
import { createApp } from '../../server'
import { ADA, sampleData } from '../support/data'
import { serve, type TestServer } from '../support/http'

let mock: TestServer
beforeAll(async () => {
  mock = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
})
afterAll(() => mock.close())

type Headers = Record<string, string>

/** Logs in to the mock; once more when that fails. Returns the token. */
async function logIn(own: Headers): Promise<string> {
  const body = new URLSearchParams(ADA)
  const attempt = () => fetch(`${mock.url}/auth/login`, { method: 'POST', headers: own, body })
  const first = await attempt()
  const text = await (first.ok ? first : await attempt()).text()
  return /"access_token": "(.*)"/.exec(text)?.[1] ?? ''
}

/** A page with the titles of all posts, including those added by a POST to it. */
async function page(request: IncomingMessage, headers: Headers): Promise<Response> {
  const title = new URL(request.url ?? '', 'http://localhost').searchParams.get('add')
  const json = { ...headers, 'Content-Type': 'application/json' }
  if (title !== null)
    await fetch(`${mock.url}/posts`, { method: 'POST', headers: json, body: JSON.stringify({ title }) })
  return fetch(`${mock.url}/posts`, { headers })
}

/** An application that forwards the header of the request that it renders a page for. */
const forwarding: RequestListener = async (request, response) => {
  const name = request.headers['x-sandbox']
  const own = typeof name === 'string' ? { 'X-Sandbox': name } : undefined
  const token = await logIn(own ?? {})
  const answer = await page(request, { ...own, Authorization: `Bearer ${token}` })
  response.end(await answer.text())
}

/** The tokens of those who have logged in to the next application. */
const sessions = new Map<string, string>()

/** An application that keeps the token in a session, sends nothing else, and logs in again on expiry. */
const withSessions: RequestListener = async (request, response) => {
  const id = request.headers.cookie ?? ''
  const token = sessions.get(id) ?? ''
  const answer = await page(request, { Authorization: `Bearer ${token}` }).catch(() => undefined)
  response.statusCode = answer === undefined ? 503 : answer.status === 401 ? 303 : 200
  if (answer?.status === 401) response.setHeader('Location', '/login')
  response.end(await answer?.text())
}

async function titles(url: string, headers: Headers): Promise<string[]> {
  const text = await (await fetch(url, { headers })).text()
  return Array.from(text.matchAll(/"title": "(.*)"/g), ([, title = '']) => title)
}

const NAMES = ['first', 'second']
const own = (name: string) => ['Hello', 'World', `${name} 1`, `${name} 2`]

test('two tests at once of an application that forwards the header', async () => {
  const app = await serve(forwarding)
  const seen = await Promise.all(
    NAMES.map(async (name) => {
      const sandbox = await openSandbox({ url: mock.url, name, user: ADA })
      const headers = { 'X-Sandbox': name }
      for (const count of [1, 2]) await titles(`${app.url}/?add=${name} ${count}`, headers)
      expect(await sandbox.requests({ method: 'POST', path: '/posts' })).toHaveLength(2)
      return titles(app.url, headers)
    }),
  )
  expect(seen).toEqual(NAMES.map(own))
  await app.close()
})

/** Opens a sandbox, and a session of the application with the sandbox's token. */
async function openSession(name: string) {
  const sandbox = await openSandbox({ url: mock.url, name, user: ADA })
  const cookie = randomUUID()
  sessions.set(cookie, sandbox.token)
  return { sandbox, cookie }
}

test("two tests at once of an application that keeps the sandbox's token in its session", async () => {
  const app = await serve(withSessions)
  const seen = await Promise.all(
    NAMES.map(async (name) => {
      const { cookie } = await openSession(`${name}-session`)
      for (const count of [1, 2]) await titles(`${app.url}/?add=${name} ${count}`, { cookie })
      return titles(app.url, { cookie })
    }),
  )
  expect(seen).toEqual(NAMES.map(own))
  await app.close()
})

describe('one rule makes', () => {
  let app: TestServer
  beforeEach(async () => {
    app = await serve(withSessions)
  })
  afterEach(() => app.close())
  const visit = (cookie: string) => fetch(app.url, { headers: { cookie }, redirect: 'manual' })

  test('an expired session: the application redirects to its login, once', async () => {
    const { sandbox, cookie } = await openSession('expired')
    await sandbox.fail([{ path: '/posts', status: 401, times: 1 }])
    const refused = await visit(cookie)
    expect([refused.status, refused.headers.get('location')]).toEqual([303, '/login'])
    expect((await visit(cookie)).status).toBe(200)
  })

  test('an offline moment', async () => {
    const { sandbox, cookie } = await openSession('offline')
    await sandbox.fail([{ path: '/*', drop: true, times: 1 }])
    expect([(await visit(cookie)).status, (await visit(cookie)).status]).toEqual([503, 200])
    expect(await sandbox.requests()).toMatchObject([{ status: 0 }, { status: 200 }])
  })

  test('a slow network: the request is under way, and then gets its response', async () => {
    const { sandbox, cookie } = await openSession('slow')
    await sandbox.fail([{ path: '/posts', delay: 300 }])
    const visiting = visit(cookie)
    while ((await sandbox.requests()).length === 0);
    expect(await sandbox.requests()).toMatchObject([{ status: 0 }])
    expect((await visiting).status).toBe(200)
    expect(await sandbox.requests()).toMatchObject([{ status: 200 }])
  })

  test('a flaky login: the second attempt succeeds', async () => {
    const { sandbox } = await openSession('flaky')
    await sandbox.fail([{ method: 'POST', path: '/auth/login', status: 503, times: 1 }])
    expect(await logIn({ 'X-Sandbox': 'flaky' })).toMatch(/^eyJ/)
    expect(await sandbox.requests()).toMatchObject([{ status: 503 }, { status: 200 }])
  })
})
