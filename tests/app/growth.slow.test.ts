import { createApp } from '../../server'
import { sampleData } from '../support/data'
import { ask, authorized, logIn, type Question, serve, type TestServer } from '../support/http'

const TIMES = 16
/** Sixteen times the text may cost sixteen times as much; with the square of it, that would be 256 times. */
const MOST = 64
const TRIES = 5

let server: TestServer
let headers: Record<string, string>

beforeAll(async () => {
  server = await serve(createApp({ data: sampleData(), sandboxes: true, log: false }))
  headers = authorized(await logIn(server.url))
})
afterAll(() => server.close())

/** The processor time of a request, in microseconds: the least of several tries. */
async function cost(question: Question): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const start = process.cpuUsage()
    const { status } = await ask(server.url, { ...question, headers: { ...headers, ...question.headers } })
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
    expect([200, 400, 404]).toContain(status)
  }
  return least
}

async function expectLinear(question: (size: number) => Question, size: number): Promise<void> {
  const small = await cost(question(size))
  expect(await cost(question(size * TIMES))).toBeLessThan(small * MOST)
}

/** How a path begins, and the part that is then repeated. */
test.each([
  ['/', '/'],
  ['/posts/', 's'],
  ['/posts/1/', '%2F'],
  ['/posts?', 'a=1&'],
  ['/posts?', 'q[a]'],
  ['/posts?a', '.a'],
  ['/posts?', '%5B%22'],
  ['/posts?a_like', '_like'],
  ['/posts?', 'title_like=%5Cw%2B!&'],
  ['/posts?_sort=', 'a,'],
  ['/posts?_sort=', 'a.'],
  ['/posts?_order=', ','],
  ['/posts?_embed=', 'a.'],
  ['/posts?_expand=', 's'],
  ['/posts?_delay=0', '.0'],
  ['/posts?q=', 'a'],
])('the work for a path %s%s... grows with its length', async (start, part) => {
  await expectLinear((size) => ({ path: start + part.repeat(size / part.length) }), 900)
})

test.each<[title: string, body: (size: number) => string]>([
  ['nested arrays', (size) => `{"a":${'['.repeat(size)}${']'.repeat(size)}}`],
  ['nested objects', (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`],
  ['fields', (size) => `{${Array.from({ length: size }, (_, index) => `"f${index}":1`).join()}}`],
  ['a long name', (size) => `{"${'a'.repeat(size)}":1}`],
  ['objects in a list', (size) => `{"a":[${Array(size).fill('{"b":{}}').join()}]}`],
  ['spaces', (size) => `${' '.repeat(size)}1`],
  ['beginnings of tokens', (size) => `{"a":"${'eyJ-'.repeat(size)}"}`],
  ['names of secrets', (size) => `{"a":"${'password'.repeat(size)}"}`],
])('the work for a body of %s grows with its length, also in a sandbox', async (_title, body) => {
  for (const sandbox of [{}, { 'X-Sandbox': 'lab' }])
    await expectLinear(
      (size) => ({ method: 'PUT', path: '/profile', headers: sandbox, body: body(size) }),
      1000,
    )
})
