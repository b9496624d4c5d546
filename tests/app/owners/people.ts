import type { Request } from 'express'
import type { MemoryData } from '../../../lib/data/data-source'
import { isRecord } from '../../../lib/is-record'
import { type AppDatabase, type AppOptions, createApp } from '../../../server'
import { memoryData } from '../../support/data'
import { ask, json, question, serve, type TestServer } from '../../support/http'

export const ANN = { id: 1, name: 'Ann', email: 'ann@example.com', password: 'pear-tree' }
export const BEN = { id: 2, name: 'Ben', email: 'ben@example.com', password: 'plum-cake' }
export const CID = { id: 3, name: 'Cid', email: 'cid@example.com', password: 'fig-roll' }
/** A login of whoever starts the server. */
export const ROOT_LOGIN = { email: 'root', password: 'quince-jam' }

export const DATA = {
  users: [ANN, BEN, { ...CID, orders: [{ id: 7 }] }],
  todos: [
    { id: 1, text: "Ann's first", userId: 1, tags: [{ id: 1 }] },
    { id: 2, text: "Ben's only", userId: 2, postId: 1 },
    { id: 3, text: "Ann's second", userId: 1 },
    { id: 4, text: "Nobody's" },
  ],
  posts: [
    { id: 1, title: 'Of Ann', userId: 1, tags: [{ id: 1 }], meta: { views: 1 } },
    { id: 2, title: 'Of Ben', userId: 2 },
    { id: 3, title: 'Of nobody' },
  ],
  comments: [
    { id: 1, text: 'to Ann', postId: 1, todoId: 1 },
    { id: 2, text: 'to Ben', postId: 2, todoId: 2 },
  ],
  albums: [{ id: 1, todoIds: [1, 2, 3] }],
  profile: { name: 'the server' },
}

/** What a request gets: its status and its JSON. */
export interface Got {
  status: number
  body: unknown
  headers: Record<string, unknown>
}

/** A person who has logged in, or nobody. */
export type Asker = (line: string, headers?: Record<string, string>) => Promise<Got>

/** A server on which todos are private and posts owned, and the people who use it. */
export class Household {
  readonly data: MemoryData
  readonly server: TestServer
  readonly #tokens = new Map<object, string>()

  private constructor(server: TestServer, data: MemoryData) {
    this.server = server
    this.data = data
  }

  static async open(options: Partial<Omit<AppOptions, 'data'>> & { data?: object } = {}): Promise<Household> {
    const data = memoryData({ ...(options.data ?? structuredClone(DATA)) })
    const server = await serve(
      createApp({
        private: ['todos'],
        owned: ['posts'],
        publicCollection: false,
        logins: [ROOT_LOGIN],
        log: false,
        ...options,
        data,
      }),
    )
    return new Household(server, data)
  }

  /** Asks as somebody; as nobody without a person. */
  async as(person?: { email: string; password: string }, login = '/auth/login'): Promise<Asker> {
    const token = person && (await this.tokenOf(person, login))
    return this.with(token)
  }

  /** Asks with a token. */
  with(token?: string): Asker {
    return async (line, headers = {}) => {
      const asked = question(line)
      const authorization: Record<string, string> =
        token === undefined ? {} : { Authorization: `Bearer ${token}` }
      const answer = await ask(this.server.url, {
        ...asked,
        headers: { ...asked.headers, ...authorization, ...headers },
      })
      return {
        status: answer.status,
        body: answer.text === '' ? undefined : json(answer),
        headers: answer.headers,
      }
    }
  }

  async tokenOf(person: { email: string; password: string }, login = '/auth/login'): Promise<string> {
    const known = this.#tokens.get(person)
    if (known !== undefined) return known
    const { email, password } = person
    const answer = await this.with()(`POST ${login} ${JSON.stringify({ email, password })}`)
    const { body } = answer
    const token = isRecord(body) ? body.access_token : undefined
    if (typeof token !== 'string') throw new Error(`${person.email} cannot log in: ${JSON.stringify(answer)}`)
    this.#tokens.set(person, token)
    return token
  }

  /** What is stored. */
  stored(name: keyof typeof DATA | string): unknown {
    return this.data.state[name]
  }
}

/** Opens a household for each test of a file, closes it after the test, and asks as the people who use it. */
export function householdTests() {
  let house: Household | undefined
  let askers: Record<'ann' | 'ben' | 'root' | 'nobody', Asker>

  async function open(options?: Parameters<typeof Household.open>[0]): Promise<void> {
    await house?.server.close()
    house = await Household.open(options)
    askers = {
      ann: await house.as(ANN),
      ben: await house.as(BEN),
      root: await house.as(ROOT_LOGIN),
      nobody: await house.as(),
    }
  }
  afterEach(() => house?.server.close())

  const asking =
    (name: keyof typeof askers): Asker =>
    (line, headers) =>
      askers[name](line, headers)

  return {
    open,
    house(): Household {
      if (house === undefined) throw new Error('No household is open.')
      return house
    },
    ann: asking('ann'),
    ben: asking('ben'),
    root: asking('root'),
    nobody: asking('nobody'),
  }
}

/** The database that a middleware has. */
export function databaseOf({ app }: Request): AppDatabase {
  return app.db
}

/** The ids of a list, or of what a response holds in the place of one. */
export function ids({ body }: Got): unknown {
  return Array.isArray(body) ? body.map((record) => (isRecord(record) ? record.id : record)) : body
}
