import type { Data } from '../../lib/data/valid-data'
import { serveApp } from '../support/app'
import { memoryData } from '../support/data'
import { type Answer, ask, logIn, type Question, type TestServer, withHeaders } from '../support/http'
import { type ReferenceOptions, servePlain } from '../support/json-server'
import { data, otherData, rewriteRules } from './legitimate-data'

const SECRET = 'the same secret for every server of this file'

const HEADERS = `content-type content-length content-encoding x-content-type-options etag last-modified
  x-total-count link location allow cache-control pragma expires vary access-control-expose-headers
  access-control-allow-origin access-control-allow-credentials access-control-allow-methods`.split(/\s+/)

/** All open servers; they are closed together at the end, because closing takes time. */
const servers: TestServer[] = []
let token = ''

/** Plain json-server and our app over copies of the same data. */
export class Pair {
  static async start(
    make: () => Data,
    { isShared = false, ...options }: ReferenceOptions & { isShared?: boolean } = {},
  ): Promise<Pair> {
    const data = memoryData(make(), { isShared })
    const [plain, ours] = await Promise.all([
      servePlain(make(), options),
      serveApp({ data, secret: SECRET, publicCollection: false, ...options }),
    ])
    servers.push(plain, ours)
    return new Pair(plain, ours)
  }

  private readonly plain: TestServer
  private readonly ours: TestServer

  private constructor(plain: TestServer, ours: TestServer) {
    this.plain = plain
    this.ours = ours
  }

  /** Closes both before the others: their data would fill the memory where many are started. */
  async close(): Promise<void> {
    for (const server of [this.plain, this.ours]) servers.splice(servers.indexOf(server), 1)
    await Promise.all([this.plain.close(), this.ours.close()])
  }

  /** Sends the requests one after the other to both and expects the same responses. */
  async expectSameAnswers(questions: readonly Question[]): Promise<void> {
    const plainMemory = new Memory()
    const ourMemory = new Memory()
    for (const question of questions) {
      const [plain, ours] = await Promise.all([
        ask(this.plain.url, plainMemory.fillIn(question)),
        ask(this.ours.url, withToken(ourMemory.fillIn(question))),
      ])
      // A request on which json-server itself fails would prove nothing.
      expect(plain.status).toBeLessThan(500)
      plainMemory.remember(plain)
      ourMemory.remember(ours)
      expect(ourMemory.comparable(ours, this.ours)).toEqual(plainMemory.comparable(plain, this.plain))
    }
  }
}

/** From the earlier responses of one server: the id of a new record, and the last ETag. */
class Memory {
  #id = ''
  #etag = ''
  /** The ids that were drawn at random: two servers can agree only on their length. */
  readonly #random: string[] = []

  remember({ status, headers, text }: Answer): void {
    this.#etag = headers.etag ?? ''
    if (status !== 201) return
    const id = /^ {2}"(?:_id|id)": (.*?),?$/m.exec(text)?.[1]
    this.#id = id === undefined ? '' : String(JSON.parse(id))
    if (/^[\w-]{7}$/.test(this.#id)) this.#random.push(this.#id)
  }

  fillIn(question: Question): Question {
    const path = question.path.replace('{id}', encodeURIComponent(this.#id))
    const filled = { ...question, path }
    return question.headers?.['If-None-Match'] === '{etag}'
      ? withHeaders(filled, { 'If-None-Match': this.#etag })
      : filled
  }

  comparable({ status, headers, bytes, text }: Answer, { url }: TestServer): object {
    const hide = (value: string): string =>
      this.#random
        .reduce((result, id) => result.replaceAll(id, '<7 random characters>'), value)
        .replaceAll(new URL(url).host, '<host>')
    const compared = HEADERS.filter((name) => name !== 'etag' || this.#random.length === 0)
    return {
      status,
      ...Object.fromEntries(compared.map((name) => [name, hide(String(headers[name]))])),
      vary: varying(headers.vary, status),
      body: headers['content-encoding'] === undefined ? hide(text) : bytes.toString('base64'),
    }
  }
}

/**
 * Vary as a set. A 304 must say what the 200 would (RFC 9110 section 15.4.5), which json-server's does not.
 */
function varying(vary: string | undefined, status: number): Set<string> {
  const names = vary?.toLowerCase().split(/\s*,\s*/) ?? []
  return new Set(names.filter((name) => status !== 304 || name !== 'accept-encoding'))
}

function withToken(question: Question): Question {
  return withHeaders(question, { Authorization: `Bearer ${token}` })
}

function titled(questions: readonly Question[]): { title: string; question: Question }[] {
  return questions.map((question) => {
    const { method = 'GET', path, headers = {} } = question
    const details = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`)
    return { title: `${method} ${path}${details.join('')}`, question }
  })
}

function titledSequences(sequences: readonly Question[][]): { title: string; questions: Question[] }[] {
  return sequences.map((questions) => {
    const [first, ...others] = titled(questions)
    const body = questions[0]?.body ?? ''
    return { title: `${first?.title} ${body}, and ${others.length} more`, questions }
  })
}

beforeAll(async () => {
  const server = await serveApp({ data: data(), secret: SECRET })
  servers.push(server)
  token = await logIn(server.url)
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
})

interface Setting {
  /** Such as `with rewrite rules`. */
  setting: string
  make: () => Data
  options: ReferenceOptions & { isShared?: boolean }
}

/** Settings of both servers, for the titles of tests. */
export const USUAL: Setting = { setting: 'with the usual names', make: data, options: {} }
export const SHARED: Setting = {
  setting: 'over data that other code may change',
  make: data,
  options: { isShared: true },
}
export const OTHER_NAMES: Setting = {
  setting: 'with the id property and the foreign key suffix "_id"',
  make: otherData,
  options: { idProperty: '_id', foreignKeySuffix: '_id' },
}
export const REWRITTEN: Setting = {
  setting: 'with rewrite rules',
  make: data,
  options: { routes: rewriteRules },
}

/** Requests that change nothing, all to the same pair of servers. */
export function testReads({ setting, make, options }: Setting, reads: readonly Question[]): void {
  describe(`${setting}, the same response as from json-server to`, () => {
    let pair: Pair
    beforeAll(async () => {
      pair = await Pair.start(make, options)
    })

    it.each(titled(reads))('$title', async ({ question }) => {
      await pair.expectSameAnswers([question])
    })

    it('GET /db, after all of them', async () => {
      await pair.expectSameAnswers([{ path: '/db' }])
    })
  })
}

/** Changes, and the requests after them, each sequence to a pair of its own. */
export function testChanges({ setting, make, options }: Setting, sequences: readonly Question[][]): void {
  describe(`${setting}, the same responses as from json-server to`, () => {
    it.each(titledSequences(sequences))('$title', async ({ questions }) => {
      const pair = await Pair.start(make, options)
      await pair.expectSameAnswers([...questions, { path: '/db' }])
    })
  })
}

/** Collections whose names differ only in case. */
export function testNamesInOtherCase(): void {
  it('the same responses as from json-server where names differ only in case', async () => {
    const pair = await Pair.start(() => ({
      Posts: [{ id: 1 }, { id: 3 }],
      posts: [{ id: 1, title: 'One' }],
    }))
    const paths = [
      '/posts',
      '/Posts/1',
      '/posts/3',
      '/POSTS/4',
      '/posts?title=One',
      '/posts?id=3',
      '/posts?_embed=posts&_limit=1',
    ]
    await pair.expectSameAnswers(paths.map((path) => ({ path })))
  })
}
