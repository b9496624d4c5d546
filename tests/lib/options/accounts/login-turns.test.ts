import { request } from 'node:http'
import bcrypt, { hashSync } from 'bcryptjs'
import { type AppOptions, createApp } from '../../../../server'
import { serve, type TestServer, until } from '../../../support/http'
import { testOfLoopbackAddresses } from '../../../support/platform'

const MIA = { id: 1, email: 'mia@example.com', password: hashSync('sourdough', 4) }
/** What meets the hash with as many fields as are compared. */
const WRONG = { email: MIA.email, one: 'a', two: 'b', three: 'c' }

let server: TestServer
/** How many requests have been read to their end. */
let read: number
async function start(options: Partial<AppOptions> = {}): Promise<void> {
  read = 0
  const app = createApp({ data: { users: [MIA] }, login: '/login', log: false, ...options })
  server = await serve((request, response) => {
    request.once('end', () => {
      read += 1
    })
    app(request, response)
  })
}
afterEach(async () => {
  jest.restoreAllMocks()
  await server.close()
})

/** Sends a body from an address; `status` resolves with the response. */
function post(path: string, body: object, localAddress = '127.0.0.1') {
  const headers = { 'Content-Type': 'application/json' }
  const outgoing = request(server.url, { method: 'POST', path, headers, localAddress, agent: false })
  const status = new Promise<number | undefined>((resolve) => {
    outgoing
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', () => resolve(undefined))
  })
  outgoing.end(JSON.stringify(body))
  return { status, leave: () => outgoing.destroy() }
}

/** Resolves when so many requests have been read, and have come as far as they can. */
async function arrived(requests: number): Promise<void> {
  await until(() => read === requests)
  await new Promise(setImmediate)
}

testOfLoopbackAddresses('the first login of a second address waits for a few hashes', async () => {
  await start()
  const all = arrived(101)
  const compare = jest.spyOn(bcrypt, 'compare').mockImplementation(async (given) => {
    await all
    return given === 'sourdough'
  })
  const others = Array.from({ length: 100 }, () => post('/login', WRONG).status)
  const { status } = post('/login', { email: MIA.email, password: 'sourdough' }, '127.0.0.2')
  expect(await status).toBe(200)
  const own = compare.mock.calls.findIndex(([given]) => given === 'sourdough')
  expect(own).toBeLessThanOrEqual(2)
  expect(new Set(await Promise.all(others))).toEqual(new Set([401]))
  expect(compare).toHaveBeenCalledTimes(301)
})

test('nothing is compared for clients that have gone', async () => {
  await start()
  const waiting: (() => void)[] = []
  const compare = jest.spyOn(bcrypt, 'compare').mockImplementation(async (given) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return given === 'sourdough'
  })
  const first = post('/login', { email: MIA.email, password: 'sourdough' })
  await until(() => waiting.length === 1)
  const gone = Array.from({ length: 20 }, () => post('/login', WRONG))
  const last = post('/login', { email: MIA.email, password: 'sourdough' })
  for (const { leave } of gone) leave()
  for (const { status } of gone) expect(await status).toBeUndefined()
  waiting.pop()?.()
  expect(await first.status).toBe(200)
  await until(() => waiting.length === 1)
  waiting.pop()?.()
  expect(await last.status).toBe(200)
  expect(compare.mock.calls.map(([given]) => given)).toEqual(['sourdough', 'sourdough'])
})

testOfLoopbackAddresses('the first sign-up of a second address waits for a few, too', async () => {
  await start({ signUp: '/register' })
  const all = arrived(101)
  const hash = jest.spyOn(bcrypt, 'hash').mockImplementation(async () => {
    await all
    return MIA.password
  })
  const others = Array.from(
    { length: 100 },
    (_item, index) => post('/register', { email: `u${index}@x.org`, password: 'p' }).status,
  )
  const { status } = post('/register', { email: 'noah@x.org', password: 'rye' }, '127.0.0.2')
  expect(await status).toBe(201)
  const own = hash.mock.calls.findIndex(([given]) => given === 'rye')
  expect(own).toBeLessThanOrEqual(2)
  expect(new Set(await Promise.all(others))).toEqual(new Set([201]))
})
