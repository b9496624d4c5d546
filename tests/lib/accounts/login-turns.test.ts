import { request } from 'node:http'
import bcrypt, { hashSync } from 'bcryptjs'
import { Turns } from '../../../lib/turns'
import { type AppOptions, createApp } from '../../../server'
import { logInTo, send, serve, type TestServer, until } from '../../support/http'
import { testOfLoopbackAddresses } from '../../support/platform'

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

/**
 * Lets nobody's turn begin before something has happened.
 *
 * @returns what each turn gives
 */
function holdTurns(happened: Promise<void>): Promise<unknown>[] {
  const { take } = Turns.prototype
  const all: Promise<unknown>[] = []
  jest.spyOn(Turns.prototype, 'take').mockImplementation(function held(this: Turns, asker, task) {
    const taken = take.call(this, asker, () => happened.then(task))
    all.push(taken)
    return taken
  })
  return all
}

testOfLoopbackAddresses('the first login of a second address waits for a few hashes', async () => {
  await start()
  const all = arrived(21)
  const compare = jest.spyOn(bcrypt, 'compare').mockImplementation(async (given) => {
    await all
    return given === 'sourdough'
  })
  const others = Array.from({ length: 20 }, () => post('/login', WRONG).status)
  const { status } = post('/login', { email: MIA.email, password: 'sourdough' }, '127.0.0.2')
  expect(await status).toBe(200)
  const own = compare.mock.calls.findIndex(([given]) => given === 'sourdough')
  expect(own).toBeLessThanOrEqual(2)
  expect(new Set(await Promise.all(others))).toEqual(new Set([401]))
  expect(compare).toHaveBeenCalledTimes(61)
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
  holdTurns(arrived(21))
  const hash = jest.spyOn(bcrypt, 'hashSync').mockReturnValue(MIA.password)
  const others = Array.from(
    { length: 20 },
    (_item, index) => post('/register', { email: `u${index}@x.org`, password: 'p' }).status,
  )
  const { status } = post('/register', { email: 'noah@x.org', password: 'rye' }, '127.0.0.2')
  expect(await status).toBe(201)
  const own = hash.mock.calls.findIndex(([given]) => given === 'rye')
  expect(own).toBeLessThanOrEqual(2)
  expect(new Set(await Promise.all(others))).toEqual(new Set([201]))
})

describe('what somebody has sent as a password who has gone, the log and the journal do not show', () => {
  /** What the log and the journal say of a request whose client leaves before its turn has come. */
  async function saidOf(method: string, path: string, fields: Record<string, string>): Promise<string> {
    const lines: string[] = []
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line))
      return true
    })
    let proceed = () => {}
    const held = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const turns = holdTurns(held)
    const query = method === 'GET' ? `?${new URLSearchParams(fields)}` : ''
    const headers = { 'Content-Type': 'application/json', 'X-Sandbox': 'lab' }
    const outgoing = request(server.url, { method, path: path + query, headers, agent: false })
    outgoing.on('error', () => {}).end(query === '' ? JSON.stringify(fields) : undefined)
    await until(() => turns.length > 0)
    outgoing.destroy()
    await until(() => lines.some((line) => line.includes(path)))
    proceed()
    await Promise.allSettled(turns)
    const token = await logInTo(server.url, 'lab', { email: 'ada@example.com', password: 'lovelace' })
    const journal = await send(server.url, 'GET /__sandbox/requests', { sandbox: 'lab', token })
    return lines.join('') + journal.text
  }

  test.each([
    ['GET', '/login', { email: MIA.email, geheim: 'sourdough' }],
    ['POST', '/login', { email: MIA.email, geheim: 'sourdough' }],
    ['POST', '/register', { email: 'new@example.com', geheim: 'sourdough' }],
  ])('%s %s', async (method, path, fields) => {
    const ada = { email: 'ada@example.com', password: 'lovelace' }
    await start({
      login: ['/login', 'GET /login'],
      signUp: '/register',
      loginFields: { password: 'geheim' },
      logins: [ada],
      sandboxes: true,
      log: true,
      data: { users: [{ id: 1, email: MIA.email, geheim: MIA.password }] },
    })
    const said = await saidOf(method, path, fields)
    expect(said).toContain(path)
    expect(said).not.toContain('sourdough')
  })
})
