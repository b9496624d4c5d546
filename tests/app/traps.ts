import type { Data } from '../../lib/data/valid-data'
import { isRecord } from '../../lib/is-record'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { ADA } from '../support/data'
import {
  type Answer,
  ask,
  json,
  logIn,
  type Question,
  question,
  type TestServer,
  withHeaders,
} from '../support/http'
import { servePlain } from '../support/json-server'

export const SECRET = 'the same secret for every server of this file'

export function data(): Data {
  return {
    users: [{ id: 1, name: 'Ada', ...ADA }],
    posts: [
      { id: 1, title: 'Hello', views: 100 },
      { id: 2, title: 'World', views: 200 },
    ],
    comments: [
      { id: 1, body: 'nice', postId: 1 },
      { id: 2, body: 'great', postId: 2 },
    ],
    profile: { name: 'typicode' },
  }
}

export type Ask = (asked: string | Question) => Promise<Answer>

/** All open servers; they are closed together at the end, because closing takes time. */
export const servers: TestServer[] = []
let token = ''

/** The token of a user of {@link data}, for every server of {@link start}. */
export const tokenOf = () => token

/** Lets the tests of a file start servers, and closes them. */
export function startingServers(): void {
  beforeAll(async () => {
    // json-server's router prints the stack of each error that it meets.
    jest.spyOn(console, 'error').mockImplementation(() => {})
    const server = await serveApp({ data: data(), secret: SECRET })
    servers.push(server)
    token = await logIn(server.url)
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    jest.restoreAllMocks()
  })
}

type Options = Pick<AppOptions, 'middlewares' | 'readOnly' | 'idProperty' | 'foreignKeySuffix'>

/** Starts plain json-server and our app over copies of the same data. */
export async function start(given: Data = data(), options: Options = {}): Promise<{ plain: Ask; ours: Ask }> {
  const [plain, ours] = await Promise.all([startPlain(given, options), startOurs(given, options)])
  return { plain, ours }
}

export async function startPlain(given: Data = data(), options: Options = {}): Promise<Ask> {
  const server = await servePlain(structuredClone(given), options)
  servers.push(server)
  return (asked) => ask(server.url, read(asked))
}

export async function startOurs(given: Data = data(), options: Options = {}): Promise<Ask> {
  const server = await serveApp({ data: structuredClone(given), secret: SECRET, ...options })
  servers.push(server)
  return (asked) => ask(server.url, withHeaders(read(asked), { Authorization: `Bearer ${token}` }))
}

function read(asked: string | Question): Question {
  return typeof asked === 'string' ? question(asked) : asked
}

export function expectShown(
  { status, text }: Answer,
  [expected, body]: readonly [status: number, body: RegExp],
): void {
  expect(status).toBe(expected)
  expect(text).toMatch(body)
}

/** One sentence in JSON, and nothing about the machine. */
export function expectSentence(answer: Answer): void {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual({ error: expect.stringMatching(/^[^\n<]+\.$/) })
  expect(answer.text).not.toMatch(/\bat \S+:\d+|node_modules/)
  expect(answer.text).not.toContain(process.cwd())
}

/** The collection can still be listed, filtered, sorted, searched and changed. */
export async function expectToWork(ours: Ask): Promise<void> {
  const queries = ['title=Hello', 'title_ne=Hello', '_sort=title', 'q=hello', '_embed=comments']
  for (const list of await Promise.all(queries.map((query) => ours(`GET /posts?${query}`)))) {
    expect(list.status).toBe(200)
    expect(Array.isArray(json(list))).toBe(true)
  }
  const created = await ours('POST /posts {"title": "afterwards"}')
  expect(created.status).toBe(201)
  const { id } = record(json(created))
  expect((await ours(`GET /posts/${id}`)).text).toBe(created.text)
  expect((await ours(`DELETE /posts/${id}`)).status).toBe(200)
}

export function record(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new Error(`${JSON.stringify(value)} is not an object.`)
}

/** A request whose body has this many levels. */
export function nested(depth: number): string {
  return `POST /posts ${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}
