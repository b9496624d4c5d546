import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import type { Request, RequestHandler } from 'express'
import { DataSource, MemoryData } from '../../lib/data/data-source'
import { type AppOptions, createApp } from '../../server'
import { sampleData } from '../support/data'
import { keptFrom, type Listener, listenTo, recordsOf } from '../support/events'
import {
  ask,
  askJson,
  authorized,
  json,
  logIn,
  logInTo,
  send,
  serve,
  type TestServer,
  until,
} from '../support/http'

const DATA = {
  ...sampleData(),
  tasks: [
    { id: 1, text: 'Buy tea', done: false, listId: 1 },
    { id: 2, text: 'Sleep', done: true, listId: 1 },
  ],
  lists: [{ id: 1, name: 'Home' }],
  labels: ['red', 'blue'],
}

let data: MemoryData
let server: TestServer
let token: Record<string, string>
/** The responses that the server has begun. */
let responses: ServerResponse[]
const listeners: Listener[] = []

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(DATA)
  responses = []
  const app = createApp({ log: false, data, ...options })
  server = await serve((request, response) => {
    responses.push(response)
    app(request, response)
  })
  token = authorized(await logIn(server.url))
}

async function hear(
  path: string,
  headers: Record<string, string> = token,
  method = 'GET',
): Promise<Listener> {
  const listener = await listenTo(server.url, path, headers, method)
  listeners.push(listener)
  return listener
}

/** Sends a change, with the token unless others are given. */
async function change(line: string, body: unknown = {}, headers = token): Promise<void> {
  const [method = '', path = ''] = line.split(' ')
  const { status } = await askJson(server.url, { method, path, headers, body })
  expect([line, status]).toEqual([line, method === 'POST' ? 201 : 200])
}

/** json-server's database, as a user's middleware has it. */
function databaseOf(request: Request) {
  return Reflect.get(request.app, 'db')
}

/** Lets the timers of heartbeats pass, and nothing else. */
function fakeHeartbeats(): () => void {
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'hrtime'],
  })
  return () => jest.advanceTimersByTime(15_000)
}

afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close()
  await server.close()
  jest.useRealTimers()
  jest.restoreAllMocks()
})

describe('what is streamed', () => {
  beforeEach(() => start({ routes: { '/api/*': '/$1' } }))

  test('a record that comes to match is created, one that no longer does is deleted', async () => {
    const listener = await hear('/tasks?done=false')
    await change('POST /tasks', { text: 'Read', done: false })
    await change('PATCH /tasks/2', { done: false })
    await change('PATCH /tasks/1', { done: true })
    await change('PATCH /tasks/2', { text: 'Dream' })
    await change('POST /tasks', { done: true })
    await change('DELETE /tasks/3')
    const all = ['loaded', 'created 3', 'created 2', 'deleted 1', 'updated 2', 'deleted 3']
    expect(await listener.heard(6)).toEqual(all)
    expect(listener.events[4]?.data).toEqual({ id: 2, text: 'Dream', done: false, listId: 1 })
  })

  test.each([
    ['q', '/tasks?q=tea', ['deleted 1', 'created 3']],
    ['_sort and a page', '/tasks?_sort=id&_order=desc&_page=1&_limit=1', ['deleted 2', 'created 3']],
    ['_embed', '/lists?_embed=tasks', ['updated 1', 'updated 1']],
    ['a nested path', '/lists/1/tasks', ['updated 1', 'created 3']],
    ['a rewrite rule', '/api/tasks?q=tea', ['deleted 1', 'created 3']],
    ['one record', '/tasks/1', ['updated 1', 'deleted 1']],
  ])('%s: %s', async (_what, path, expected) => {
    const listener = await hear(path)
    expect(listener.events.map(({ data }) => data)).toEqual([
      json(await ask(server.url, { path, headers: token })),
    ])
    await change('PATCH /tasks/1', { text: 'Buy bread' })
    await change('POST /tasks', { text: 'Green tea', listId: 1 })
    await change('DELETE /tasks/1')
    await until(() => listener.events.length > expected.length)
    expect((await listener.heard(1)).slice(1, 1 + expected.length)).toEqual(expected)
  })

  test('/db: each event has the form of the whole', async () => {
    const listener = await hear('/db')
    await change('PATCH /tasks/1', { done: true })
    await listener.heard(2)
    expect(listener.events).toEqual([
      { name: 'loaded', data: DATA },
      { name: 'updated', data: { tasks: { ...DATA.tasks[0], done: true } } },
    ])
  })

  test('a filter by a field that vanishes with the last record that has it', async () => {
    await change('POST /lists', { name: 'Work', urgent: true })
    const listener = await hear('/lists?urgent=true')
    await change('DELETE /lists/2')
    expect(await listener.heard(3)).toEqual(['loaded', 'deleted 2', 'created 1'])
    const answer = await ask(server.url, { path: '/lists?urgent=true', headers: token })
    expect(keptFrom(listener.events)).toEqual(recordsOf(json(answer)))
  })

  test.each(['/nothing', '/tasks/9', '/tasks/1/2/3'])(
    'GET %s of nothing is the 404 of the GET',
    async (path) => {
      const { status, headers } = await hear(path)
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
    },
  )

  test('a query that is refused is the 400 of the GET', async () => {
    expect((await hear('/tasks?text_like=(')).status).toBe(400)
  })

  test.each(['application/json', '*/*', 'application/json, text/event-stream'])(
    'Accept: %s is JSON',
    async (accept) => {
      const { headers } = await ask(server.url, { path: '/tasks', headers: { ...token, Accept: accept } })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
    },
  )

  test('HEAD sends no stream', async () => {
    const answer = await ask(server.url, {
      method: 'HEAD',
      path: '/tasks',
      headers: { ...token, Accept: 'text/event-stream' },
    })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  })
})

describe('order', () => {
  beforeEach(() => start())

  test('another order is no event', async () => {
    const listener = await hear('/tasks?_sort=text')
    await change('PATCH /tasks/1', { text: 'Zzz' })
    await change('POST /lists', { name: 'Work' })
    await change('DELETE /tasks/2')
    expect(await listener.heard(3)).toEqual(['loaded', 'updated 1', 'deleted 2'])
  })

  test.each(['/labels', '/profile'])('%s, without an id, is loaded again', async (path) => {
    const listener = await hear(path)
    data.replace({ ...DATA, labels: ['green'], profile: { name: 'Grace' } })
    expect(await listener.heard(2)).toEqual(['loaded', 'loaded'])
    expect(listener.events[1]?.data).toEqual(json(await ask(server.url, { path, headers: token })))
  })
})

describe('when', () => {
  test('after the change is durable, and not where it is taken back', async () => {
    let finish: (error?: Error) => void = () => {}
    const save = () =>
      new Promise<void>((resolve, reject) => {
        finish = (error) => (error === undefined ? resolve() : reject(error))
      })
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const held = new DataSource(DATA, { save })
    await start({ data: held })
    const listener = await hear('/tasks')
    const failing = askJson(server.url, { method: 'DELETE', path: '/tasks/1', headers: token, body: {} })
    await until(() => Array.isArray(held.state.tasks) && held.state.tasks.length === 1)
    await until(() => finish.length > 0)
    // A GET shows a change at once; a stream does not.
    const early = await hear('/tasks')
    finish(new Error('The disk is full.'))
    expect((await failing).status).toBe(500)
    finish = () => {}
    const change = askJson(server.url, { method: 'DELETE', path: '/tasks/2', headers: token, body: {} })
    await until(() => finish.length > 0)
    expect(listener.events).toHaveLength(1)
    finish()
    expect((await change).status).toBe(200)
    expect(await listener.heard(2)).toEqual(['loaded', 'deleted 2'])
    expect(early.events[0]?.data).toEqual(DATA.tasks)
    expect(warn).toHaveBeenCalled()
  })

  test('also by app.db, whether it calls functions or changes records in place', async () => {
    const change: RequestHandler = async (request, response, next) => {
      if (request.path !== '/by-hand') return next()
      const db = databaseOf(request)
      db.get('tasks').push({ id: 7 }).write()
      db.get('tasks').find({ id: 1 }).assign({ done: true }).write()
      await db.write()
      response.json({})
    }
    await start({ middlewares: [change] })
    const listener = await hear('/tasks')
    await ask(server.url, { path: '/by-hand', headers: token })
    expect(await listener.heard(3)).toEqual(['loaded', 'updated 1', 'created 7'])
  })

  test('also where code begins to use app.db while somebody listens', async () => {
    const change: RequestHandler = (request, _response, next) => {
      if (request.query.lazy !== undefined) databaseOf(request).get('tasks').remove({ id: 2 }).write()
      next()
    }
    await start({ middlewares: [change] })
    const listener = await hear('/tasks')
    await ask(server.url, { path: '/lists?lazy', headers: token })
    expect(await listener.heard(2)).toEqual(['loaded', 'deleted 2'])
  })

  test('ten applications over one source', async () => {
    const warn = jest.spyOn(process, 'emitWarning')
    await start()
    const others = await Promise.all(
      Array.from({ length: 11 }, () => serve(createApp({ data, log: false, allow: 'all' }))),
    )
    const heard = await Promise.all(others.map(({ url }) => listenTo(url, '/tasks')))
    await change('DELETE /tasks/1')
    for (const listener of heard) expect(await listener.heard(2)).toEqual(['loaded', 'deleted 1'])
    await Promise.all(others.map((other) => other.close()))
    expect(warn).not.toHaveBeenCalled()
  })

  describe('in a sandbox', () => {
    beforeEach(() => start({ sandboxes: true }))
    const inLab = () => ({ ...token, 'X-Sandbox': 'lab' })

    test('mock.reset: the stream ends, and the next one begins with the new data', async () => {
      const listener = await hear('/tasks', inLab())
      await send(server.url, 'POST /__sandbox/reset', {
        sandbox: 'lab',
        token: bearer(),
        body: { tasks: [{ id: 9 }] },
      })
      await listener.ended
      expect((await hear('/tasks', inLab())).events[0]?.data).toEqual([{ id: 9 }])
    })

    test('mock.reset while a middleware waits: the stream of what was there before ends', async () => {
      await server.close()
      let proceed: (() => void) | undefined
      const wait: RequestHandler = (request, _response, next) => {
        if (request.get('Accept') === 'text/event-stream') proceed = next
        else next()
      }
      await start({ sandboxes: true, middlewares: [wait] })
      const begun = hear('/tasks', inLab())
      await until(() => proceed !== undefined)
      await send(server.url, 'POST /__sandbox/reset', { sandbox: 'lab', token: bearer() })
      const watch = jest.spyOn(data, 'watch')
      proceed?.()
      await (await begun).ended
      expect(watch).not.toHaveBeenCalled()
    })

    test('one that was not changed hears of the main data that is loaded', async () => {
      const listener = await hear('/tasks', inLab())
      data.replace({ ...DATA, tasks: [DATA.tasks[0]] })
      expect(await listener.heard(2)).toEqual(['loaded', 'deleted 2'])
    })

    test('one that was changed does not', async () => {
      await change('DELETE /tasks/1', {}, inLab())
      const listener = await hear('/tasks', inLab())
      data.replace({ ...DATA, tasks: [] })
      await change('POST /tasks', { text: 'mine' }, inLab())
      expect(await listener.heard(2)).toEqual(['loaded', 'created 3'])
    })
  })
})

function bearer(): string {
  return String(token.Authorization).slice('Bearer '.length)
}

describe('who', () => {
  test.each([
    ['without a token', {}],
    ['with one that is none', authorized('x.y.z')],
    ['with one in the query', {}],
  ])('%s: 401', async (_who, headers) => {
    await start()
    for (const path of ['/tasks', `/tasks?token=${bearer()}`, '/db', '/users', '/blogs/', '/nothing']) {
      const { status } = await hear(path, headers)
      expect([path, status]).toEqual([path, 401])
    }
  })

  test('by a cookie', async () => {
    await start({ login: '/login', tokenIn: 'cookie:session' })
    expect((await hear('/tasks', { Cookie: `session=${bearer()}` })).status).toBe(200)
    const foreign = {
      Cookie: `session=${bearer()}`,
      Origin: 'https://other.example',
      'Sec-Fetch-Site': 'cross-site',
    }
    expect((await hear('/tasks', foreign)).status).toBe(401)
  })

  test.each([
    ['/tasks', 200],
    ['/tasks?done=false', 200],
    ['/tasks?_expand=list', 401],
    ['/tasks?_embed=lists', 401],
    ['/lists/1/tasks', 401],
    ['/lists', 401],
    ['/db', 401],
  ])('with --allow "GET /tasks": %s %i', async (path, status) => {
    await start({ allow: ['GET /tasks'] })
    expect((await hear(path, {})).status).toBe(status)
  })

  test.each([
    ['POST', { 'X-HTTP-Method-Override': 'GET' }],
    ['GET', { 'X-HTTP-Method-Override': 'HEAD' }],
    ['POST', {}],
    ['PUT', {}],
  ])('a stranger who sends %s with %p: 401', async (method, headers) => {
    await start({ allow: ['GET /tasks'] })
    expect((await hear('/users', headers, method)).status).toBe(401)
  })

  test('nothing of another sandbox', async () => {
    await start({ sandboxes: true })
    const inMain = await hear('/tasks')
    const inLab = await hear('/tasks', { ...token, 'X-Sandbox': 'lab' })
    await change('DELETE /tasks/1', {}, { ...token, 'X-Sandbox': 'other' })
    await change('POST /tasks', { text: 'lab' }, { ...token, 'X-Sandbox': 'lab' })
    await change('PATCH /tasks/2', { done: false })
    expect(await inLab.heard(2)).toEqual(['loaded', 'created 3'])
    expect(await inMain.heard(2)).toEqual(['loaded', 'updated 2'])
  })

  test('GET /blogs without a token: as it was loaded, and after a reload', async () => {
    await start()
    const list = await hear('/blogs', {})
    const one = await hear('/blog/01', {})
    await change('PATCH /blogs/1', { title: 'Uno' })
    expect(await one.heard(2)).toEqual(['loaded', 'updated 1'])
    data.replace({ ...DATA, blogs: [{ id: 1, title: 'Uno' }] })
    expect(await list.heard(4)).toEqual(['loaded', 'deleted 2', 'deleted 3', 'updated 1'])
    expect(list.events[0]?.data).toEqual({ blogs: sampleData().blogs })
    expect(one.events[0]?.data).toEqual({ blog: Object(sampleData().blogs)[0] })
  })

  test('GET /blogs with --live: as it is', async () => {
    await start({ live: true })
    const list = await hear('/blogs', {})
    await change('DELETE /blogs/2')
    expect(await list.heard(2)).toEqual(['loaded', 'deleted 2'])
  })

  test('a blog that is not there: 404', async () => {
    await start()
    expect((await hear('/blogs/9', {})).status).toBe(404)
  })

  test('nothing after a logout', async () => {
    await start({ login: '/login', logout: '/logout' })
    const listener = await hear('/tasks')
    const other = { Authorization: `Bearer ${await logInTo(server.url)}`, 'Content-Type': 'application/json' }
    await askJson(server.url, { method: 'POST', path: '/logout', headers: token, body: {} })
    await change('DELETE /tasks/1', {}, other)
    await listener.ended
    expect(listener.events).toHaveLength(1)
  })

  test('nothing after an expiry', async () => {
    let now = Date.now()
    await start({ clock: () => now, allow: ['DELETE /tasks/1'] })
    const listener = await hear('/tasks')
    now += 3_600_000
    await change('DELETE /tasks/1', {}, {})
    await listener.ended
    expect(listener.events).toHaveLength(1)
  })

  test('nothing after endSessions', async () => {
    await start({ sandboxes: true })
    const inLab = { ...token, 'X-Sandbox': 'lab' }
    const listener = await hear('/tasks', inLab)
    await send(server.url, 'DELETE /__sandbox/sessions', { sandbox: 'lab', token: bearer() })
    const again = { ...authorized(await logInTo(server.url, 'lab')), 'X-Sandbox': 'lab' }
    await change('DELETE /tasks/1', {}, again)
    await listener.ended
    expect(listener.events).toHaveLength(1)
  })

  test('the connection ends at the next heartbeat', async () => {
    const passHeartbeat = fakeHeartbeats()
    let now = Date.now()
    await start({ clock: () => now })
    const listener = await hear('/tasks')
    passHeartbeat()
    await until(() => listener.text().endsWith('\nevent: heartbeat\ndata: {}\n\n'))
    now += 3_600_000
    passHeartbeat()
    await listener.ended
    expect(listener.events).toHaveLength(1)
  })
})

test('what it costs: nobody watches a source where nobody listens', async () => {
  await start({ docs: true, sandboxes: true })
  const watch = jest.spyOn(data, 'watch')
  await change('DELETE /tasks/1')
  await ask(server.url, { path: '/tasks', headers: token })
  expect(watch).not.toHaveBeenCalled()
  const lastSaved = jest.spyOn(data, 'lastSaved')
  const listener = await hear('/tasks')
  listener.close()
  await until(() => responses.at(-1)?.closed === true)
  lastSaved.mockClear()
  await change('DELETE /tasks/2')
  expect(lastSaved).not.toHaveBeenCalled()
})

test('a slow reader is dropped where more than a megabyte is unread', async () => {
  await start({ allow: 'all' })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET /tasks HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
  await once(socket, 'readable')
  const stream = responses.at(-1)
  const quick = await hear('/tasks')
  const text = 'x'.repeat(500_000)
  let changes = 0
  // What the two systems' buffers hold is read, as far as anybody can see.
  for (; stream?.destroyed !== true && changes < 100; changes += 1)
    await change('PATCH /tasks/1', { text: `${changes} ${text}` })
  expect(changes).toBeGreaterThan(2)
  expect(changes).toBeLessThan(100)
  expect(await quick.heard(changes + 1)).toHaveLength(changes + 1)
  socket.destroy()
})

test('many filters keep nobody waiting: a request gets in between them', async () => {
  await start({ allow: 'all' })
  await Promise.all(Array.from({ length: 20 }, (_item, index) => hear(`/tasks?text_ne=${index}`)))
  const turns: string[] = []
  const { lastSaved } = data
  jest.spyOn(data, 'lastSaved').mockImplementation(() => {
    turns.push('asked')
    if (turns.length === 1) setImmediate(() => turns.push('another'))
    return lastSaved.call(data)
  })
  await change('PATCH /tasks/1', { text: 'x' })
  await until(() => turns.length === 21)
  expect(turns.indexOf('another')).toBeLessThan(5)
})

test('connections that come and go leave nothing', async () => {
  await start({ allow: 'all' })
  for (let round = 0; round < 5; round += 1) {
    const open = await Promise.all(
      Array.from({ length: 10 }, (_item, index) => hear(`/tasks?id=${index % 3}`)),
    )
    await change('PATCH /tasks/1', { text: `${round}` })
    for (const listener of open) listener.close()
  }
  await until(() => responses.every(({ destroyed, writableFinished }) => destroyed || writableFinished))
  const lastSaved = jest.spyOn(data, 'lastSaved')
  await change('DELETE /tasks/1')
  expect(lastSaved).not.toHaveBeenCalled()
})

test.each([{}, { 'X-Sandbox': 'lab' }])(
  'a stream whose client has gone while a middleware waits leaves nothing: %o',
  async (sandbox) => {
    const waiting: (() => void)[] = []
    const wait: RequestHandler = (request, _response, next) => {
      if (request.get('Accept') === 'text/event-stream') waiting.push(next)
      else next()
    }
    await start({ allow: 'all', sandboxes: true, middlewares: [wait] })
    const watch = jest.spyOn(data, 'watch')
    for (const path of ['/tasks', '/db']) {
      const headers = { Accept: 'text/event-stream', ...sandbox }
      const outgoing = request(server.url, { path, headers, agent: false }).on('error', () => {})
      outgoing.end()
      await until(() => waiting.length === 1)
      outgoing.destroy()
      await until(() => responses.at(-1)?.closed === true)
      waiting.pop()?.()
    }
    await new Promise(setImmediate)
    expect(watch).not.toHaveBeenCalled()
  },
)

test('all streams of a view send the same bytes, which are made once for each state', async () => {
  await start({ allow: 'all' })
  const write = jest.spyOn(Socket.prototype, 'write')
  const listeners = await Promise.all([hear('/tasks'), hear('/tasks')])
  await change('PATCH /tasks/1', { text: 'x' })
  for (const listener of listeners) await listener.heard(2)
  const written = write.mock.calls.map(([chunk]) => chunk).filter((chunk) => Buffer.isBuffer(chunk))
  for (const event of ['loaded', 'updated']) {
    const sent = written.filter((bytes) => bytes.includes(`event: ${event}\n`))
    expect([event, sent.length, new Set(sent).size]).toEqual([event, 2, 1])
  }
})

describe('compression, proxies', () => {
  test('the headers', async () => {
    await start()
    const { headers } = await hear('/tasks', { ...token, 'Accept-Encoding': 'gzip' })
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('content-length')
  })

  test('a heartbeat every 15 s', async () => {
    const passHeartbeat = fakeHeartbeats()
    await start()
    const listener = await hear('/tasks')
    const first = listener.text()
    passHeartbeat()
    passHeartbeat()
    await until(() => listener.text() === first + 'event: heartbeat\ndata: {}\n\n'.repeat(2))
  })
})

describe('Ctrl+C', () => {
  test('streams end at once, though there is patience', async () => {
    await start()
    const listener = await hear('/tasks')
    await server.close(60_000)
    await listener.ended
    expect(listener.text()).toMatch(/^retry: 1000\nevent: loaded\n/)
  })

  test("server.close() of a server of one's own ends them at the next event or heartbeat", async () => {
    const passHeartbeat = fakeHeartbeats()
    await start()
    const own = createServer(createApp({ data, log: false, allow: 'all' })).listen(0, '127.0.0.1')
    await once(own, 'listening')
    const { port }: Partial<AddressInfo> = Object(own.address())
    const streams = await Promise.all([1, 2].map(() => listenTo(`http://127.0.0.1:${port}`, '/tasks')))
    const closed = once(own, 'close')
    own.close()
    passHeartbeat()
    await Promise.all(streams.map(({ ended }) => ended))
    await closed
  })
})

test('no id, no replay: each connection begins complete', async () => {
  await start()
  const first = await hear('/tasks')
  await change('DELETE /tasks/1')
  await first.heard(2)
  expect(first.text()).not.toMatch(/^id:/m)
  const second = await hear('/tasks', { ...token, 'Last-Event-ID': '1' })
  expect(second.events).toEqual([{ name: 'loaded', data: [DATA.tasks[1]] }])
})

describe('log, journal, faults', () => {
  test('a line at the beginning', async () => {
    const lines: string[] = []
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(stripVTControlCharacters(String(line)))
      return true
    })
    await start({ log: true })
    const listener = await hear('/tasks')
    await until(() => lines.some((line) => line.startsWith('GET /tasks 200 ')))
    listener.close()
    await until(() => responses.at(-1)?.destroyed === true)
    await new Promise(setImmediate)
    expect(lines.filter((line) => line.startsWith('GET /tasks'))).toHaveLength(1)
  })

  test('an entry at the beginning', async () => {
    await start({ sandboxes: true })
    await hear('/tasks', { ...token, 'X-Sandbox': 'lab' })
    const answer = await send(server.url, 'GET /__sandbox/requests', { sandbox: 'lab', token: bearer() })
    expect(json(answer)).toMatchObject([{ method: 'GET', path: '/tasks', status: 200 }])
  })

  test('a fault acts at the beginning, and not on events', async () => {
    await start({ faults: [{ path: '/tasks', status: 503, times: 1 }] })
    expect((await hear('/tasks')).status).toBe(503)
    const listener = await hear('/tasks')
    await change('DELETE /tasks/1')
    expect(await listener.heard(2)).toEqual(['loaded', 'deleted 1'])
  })
})

describe('middlewares', () => {
  const hidden = (body: unknown) =>
    JSON.stringify(body, (name, value) => (name === 'password' ? undefined : value))
  const hideByJsonp: RequestHandler = (_request, response, next) => {
    const { jsonp } = response
    response.jsonp = (body) => jsonp.call(response, JSON.parse(hidden(body)))
    next()
  }
  const hideBySend: RequestHandler = (_request, response, next) => {
    const { send } = response
    response.send = (body) => send.call(response, hidden(JSON.parse(String(body))))
    next()
  }
  const hideByEnd: RequestHandler = (_request, response, next) => {
    const { end } = response
    response.end = (body: unknown) => {
      response.removeHeader('Content-Length')
      return Reflect.apply(end, response, [hidden(JSON.parse(String(body)))])
    }
    next()
  }
  const hideByReplacer: RequestHandler = ({ app }, _response, next) => {
    app.set('json replacer', (name: string, value: unknown) => (name === 'password' ? undefined : value))
    next()
  }

  test.each([
    ['res.jsonp', hideByJsonp],
    ['res.send', hideBySend],
    ['res.end', hideByEnd],
    ['a JSON replacer', hideByReplacer],
  ])('where one of the user has replaced %s, there is no stream but the JSON', async (_what, hide) => {
    await start({ middlewares: [hide] })
    const { status, headers, text } = await ask(server.url, {
      path: '/users',
      headers: { ...token, Accept: 'text/event-stream' },
    })
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(text).toContain('Ada')
    expect(text).not.toContain('lovelace')
  })

  test('one that narrows the query is asked again by it', async () => {
    await start({
      middlewares: [
        (request, _response, next) => {
          request.query.done = 'true'
          next()
        },
      ],
    })
    const listener = await hear('/tasks')
    await change('PATCH /tasks/1', { text: 'x' })
    await change('PATCH /tasks/2', { text: 'y' })
    expect(await listener.heard(2)).toEqual(['loaded', 'updated 2'])
    expect(listener.events[0]?.data).toEqual([DATA.tasks[1]])
  })

  test('where one saves in its own way, there is no stream but the JSON', async () => {
    await start({
      middlewares: [
        (request, _response, next) => {
          databaseOf(request).write = () => undefined
          next()
        },
      ],
    })
    expect((await hear('/tasks')).headers['content-type']).toBe('application/json; charset=utf-8')
  })
})

test('200 listeners hear each change', async () => {
  await start()
  const all = await Promise.all(
    Array.from({ length: 200 }, (_item, index) => hear(`/tasks?id=1&x=${index % 5}`)),
  )
  await change('PATCH /tasks/1', { text: 'x' })
  for (const listener of all) expect(await listener.heard(2)).toEqual(['loaded', 'updated 1'])
})
