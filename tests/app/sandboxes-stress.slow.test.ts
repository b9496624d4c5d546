import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { json, logInTo, send, serve, type TestServer } from '../support/http'

const WORKERS = 8

let server: TestServer
let token: string
beforeEach(async () => {
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  token = await logInTo(server.url)
})
afterEach(() => server.close())

/** Does what a test of an application does with a mock: writes, and expects to find exactly that. */
async function isAsExpected(name: string): Promise<boolean> {
  const request = (line: string, body?: unknown) => send(server.url, line, { sandbox: name, token, body })
  const created = await request('POST /posts', { title: name })
  await request('PATCH /users/1', { name })
  await request('DELETE /comments/2')
  const [posts, user, comments, profile] = [
    await request('GET /posts'),
    await request('GET /users/1'),
    await request('GET /comments'),
    await request('PUT /profile', { name }),
  ].map(json)
  const { posts: loaded, comments: all } = sampleData()
  return (
    JSON.stringify(json(created)) === JSON.stringify({ title: name, id: 3 }) &&
    JSON.stringify(posts) === JSON.stringify([...list(loaded), { title: name, id: 3 }]) &&
    JSON.stringify(user).includes(`"name":"${name}"`) &&
    JSON.stringify(comments) === JSON.stringify(list(all).filter((_comment, index) => index !== 1)) &&
    JSON.stringify(profile) === JSON.stringify({ name })
  )
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Runs this many tests in each of the concurrent workers; returns how many failed. */
async function run(testsEach: number): Promise<number> {
  let wrong = 0
  const worker = async (index: number) => {
    for (let count = 0; count < testsEach; count += 1) {
      const name = `worker-${index}-test-${count}`
      if (!(await isAsExpected(name))) wrong += 1
      await send(server.url, 'DELETE /__sandbox', { sandbox: name, token })
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, index) => worker(index)))
  return wrong
}

test('8 workers with 25 tests each, in sandboxes: all pass', async () => {
  expect(await run(25)).toBe(0)
  expect(json(await send(server.url, 'GET /db', { token }))).toEqual(sampleData())
})
