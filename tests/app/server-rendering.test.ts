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

/** Logs in to the mock. Returns the token. */
async function logIn(own: Headers): Promise<string> {
  const body = new URLSearchParams(ADA)
  const text = await (await fetch(`${mock.url}/auth/login`, { method: 'POST', headers: own, body })).text()
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

/** An application that keeps the token in a session, and sends nothing else. */
const withSessions: RequestListener = async (request, response) => {
  const id = request.headers.cookie ?? ''
  const token = sessions.get(id) ?? ''
  const answer = await page(request, { Authorization: `Bearer ${token}` })
  response.end(await answer.text())
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

test("two tests at once of an application that keeps the sandbox's token in its session", async () => {
  const app = await serve(withSessions)
  const seen = await Promise.all(
    NAMES.map(async (name) => {
      const { token } = await openSandbox({ url: mock.url, name: `${name}-session`, user: ADA })
      const cookie = randomUUID()
      sessions.set(cookie, token)
      for (const count of [1, 2]) await titles(`${app.url}/?add=${name} ${count}`, { cookie })
      return titles(app.url, { cookie })
    }),
  )
  expect(seen).toEqual(NAMES.map(own))
  await app.close()
})
