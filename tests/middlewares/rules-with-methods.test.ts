import type { RequestHandler } from 'express'
import { ruleProblem } from '../../lib/http/rewrite-rules'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import {
  type Answer,
  ask,
  authorized,
  json,
  logIn,
  question,
  type TestServer,
  until,
  withHeaders,
} from '../support/http'

const ROUTES = {
  'POST /tasks/search': 'GET /tasks?done=false',
  'GET /tasks/all': '/tasks?_sort=id',
  'POST /tasks/:id/delete': 'DELETE /tasks/:id',
  'POST /tasks/:id/edit': 'PATCH /tasks/:id',
  'PUT /moved': '/tasks/1',
  'PATCH /stored': 'POST /notes',
  'POST /tasks/query': 'GET /tasks',
  'POST /tasks': 'GET /tasks',
  'POST /open/search': 'GET /blogs',
  '/api/*': '/$1',
}

const tasks = [
  { id: 1, text: 'Buy tea', done: false, tags: 'a' },
  { id: 2, text: 'Sleep', done: true, tags: 'b' },
  { id: 3, text: 'Milk?', done: false, tags: 'c' },
]

let server: TestServer
let token: string

async function start(options: Partial<AppOptions> = {}) {
  server = await serveApp({ data: { ...sampleData(), tasks, notes: [] }, routes: ROUTES, ...options })
  token = await logIn(server.url)
}
afterEach(() => server.close())

/** Sends a row of a table with a token. */
function send(line: string, headers: Record<string, string> = {}): Promise<Answer> {
  const asked = question(line)
  const { Authorization = '' } = authorized(token)
  return ask(server.url, withHeaders(asked, { Authorization, ...headers }))
}

function ids(answer: Answer): unknown[] {
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error(answer.text)
  return list.map(({ id }) => id)
}

describe('a POST that reads', () => {
  beforeEach(() => start())

  test.each([
    ['POST /tasks/search', [1, 3]],
    ['POST /tasks/search {}', [1, 3]],
    ['POST /tasks/search {"text": "Buy tea"}', [1]],
    ['POST /tasks/query {"id": [1, 2]}', [1, 2]],
    ['POST /tasks/query {"done": true}', [2]],
    ['POST /tasks/query {"_page": 2, "_limit": 1}', [2]],
    ['POST /tasks/query {"_sort": "id", "_order": "desc"}', [3, 2, 1]],
    ['POST /tasks/query {"text_like": "^(?:s|milk)", "id_gt": 2}', [3]],
    ['POST /tasks/query {"id": null, "text": "Sleep"}', [2]],
    ['POST /tasks/query id=1&id=3', [1, 3]],
    // The fields count after those of the rule, and before those of the URL.
    ['POST /tasks/search {"done": true}', [2]],
    ['POST /tasks/search?done=false {"done": true}', [1, 3]],
    ['POST /tasks/search?_limit=1', [1]],
    ['POST /tasks/query?text=Milk?', [3]],
    ['POST /tasks/query?text=Milk? {"id": 3}', [3]],
    // The path is the same, and the method alone another.
    ['POST /tasks {"id": 2}', [2]],
    ['POST /tasks?id=3', [3]],
  ])('%s -> %j', async (line, expected) => {
    const answer = await send(line)
    expect([answer.status, ids(answer)]).toEqual([200, expected])
  })

  test('a page has links to the others, as a GET has', async () => {
    const { headers } = await send('POST /tasks/query {"_page": 2, "_limit": 1}')
    expect(headers['x-total-count']).toBe('3')
    expect(headers.link).toContain(`${server.url}/tasks?_page=3&_limit=1>; rel="next"`)
  })

  test.each([
    ['POST /tasks/query {"id": {"a": 1}}', 400],
    ['POST /tasks/query {"id": [[1]]}', 400],
    ['POST /tasks/query {"id": [{"a": 1}]}', 400],
    ['POST /tasks/query [1]', 400],
    ['POST /tasks/query {"toString": "a"}', 400],
    ['POST /tasks/query {"text_like": "("}', 400],
    ['POST /tasks/query {"id[a]": 1}', 400],
    ['POST /tasks/query {"a', 400],
    [`POST /tasks/query {"text": "${'a'.repeat(20_000)}"}`, 413],
  ])('%.60s -> %d', async (line, status) => {
    const answer = await send(line)
    expect([answer.status, json(answer)]).toEqual([status, { error: expect.any(String) }])
  })

  test.each([
    ['texts', 200, [2], 'name="id"\r\n\r\n2'],
    ['a file', 415, undefined, 'name="id"; filename="a.png"\r\n\r\n2'],
  ])('multipart/form-data of %s -> %d', async (_title, status, found, field) => {
    const body = `--frontier\r\nContent-Disposition: form-data; ${field}\r\n--frontier--\r\n`
    const headers = { ...authorized(token), 'Content-Type': 'multipart/form-data; boundary=frontier' }
    const answer = await ask(server.url, { method: 'POST', path: '/tasks/query', headers, body })
    expect([answer.status, found && ids(answer)]).toEqual([status, found])
  })

  test('a body that is neither JSON nor a form is 415', async () => {
    const { status } = await send('POST /tasks/query {"a": 1}', { 'Content-Type': 'text/plain' })
    expect(status).toBe(415)
  })
})

describe('a key with a method is compared with that alone', () => {
  beforeEach(() => start())

  test.each([
    ['GET /tasks/all', 200],
    ['HEAD /tasks/all', 200],
    ['PUT /tasks/all {}', 404],
    ['GET /tasks/search', 404],
    ['PUT /moved {"text": "new"}', 200],
    ['GET /moved', 404],
    ['POST /tasks/2/delete', 200],
    ['POST /tasks/2/edit {"text": "new"}', 200],
    ['PATCH /stored {"text": "new"}', 201],
  ])('%s -> %d', async (line, status) => {
    expect((await send(line)).status).toBe(status)
  })

  test('as it is after X-HTTP-Method-Override, which has no effect after the rule', async () => {
    const header = { 'X-HTTP-Method-Override': 'PATCH' }
    const answer = await send('POST /stored {"text": "new"}', header)
    expect([answer.status, json(answer)]).toEqual([201, { text: 'new', id: 1 }])
    expect((await send('POST /tasks/search {}', { 'X-HTTP-Method-Override': 'PUT' })).status).toBe(404)
  })
})

describe('every step after the rule sees the new method', () => {
  test('the token check, for which the body is not read', async () => {
    await start()
    const { status, text } = await ask(server.url, question('POST /tasks/query {"a'))
    expect([status, text]).toEqual([401, '"Unauthorized"'])
  })

  test('--allow: it opens what the request becomes, and not what was sent', async () => {
    await start({ allow: ['GET /tasks', 'POST /notes'] })
    const answer = await ask(server.url, question('POST /tasks/query {"id": 2}'))
    expect([answer.status, ids(answer)]).toEqual([200, [2]])
    expect((await ask(server.url, question('POST /tasks/query {"_embed": "notes"}'))).status).toBe(401)
    expect((await ask(server.url, question('POST /tasks/2/delete'))).status).toBe(401)
  })

  test('--allow of what was sent: it opens what that becomes, and not its path for the method that was sent', async () => {
    await start({ allow: ['POST /tasks/query'], routes: { 'POST /tasks/query': 'GET /tasks' } })
    const answer = await ask(server.url, question('POST /tasks/query {"id": 2}'))
    expect([answer.status, ids(answer)]).toEqual([200, [2]])
    expect((await ask(server.url, question('POST /tasks {"text": "new"}'))).status).toBe(401)
    expect(ids(await send('GET /tasks'))).toEqual([1, 2, 3])
  })

  test('--allow of what becomes a query opens nothing', async () => {
    await start({ allow: ['POST /tasks/search'] })
    for (const line of ['POST /tasks/search {}', 'POST /tasks {"text": "new"}', 'GET /tasks'])
      expect((await ask(server.url, question(line))).status).toBe(401)
  })

  test('the public list, which has no query', async () => {
    await start()
    const answer = await ask(server.url, question('POST /open/search {"id": 1}'))
    const list = await ask(server.url, { path: '/blogs' })
    expect([answer.status, answer.text]).toEqual([200, list.text])
  })

  test('--read-only, which lets a search read', async () => {
    await start({ readOnly: true })
    expect((await send('POST /tasks/query {"id": 1}')).status).toBe(200)
    expect((await send('POST /tasks/2/delete')).status).toBe(403)
  })

  test.each([
    { method: 'GET', path: '/tasks' },
    { method: 'POST', path: '/tasks/query' },
  ])('a fault for %j acts', async (rule) => {
    await start({ faults: [{ ...rule, status: 503 }] })
    expect((await send('POST /tasks/query {}')).status).toBe(503)
  })

  test('a fault for the method that was sent, at the path that it becomes, does not act', async () => {
    await start({ faults: [{ method: 'POST', path: '/tasks', status: 503 }] })
    expect((await send('POST /tasks/query {}')).status).toBe(200)
  })

  test("the user's middlewares, with the body as a query", async () => {
    const seen: unknown[] = []
    const middleware: RequestHandler = ({ method, path, query, body }, _response, next) => {
      seen.push({ method, path, query, body })
      next()
    }
    await start({ middlewares: [middleware] })
    await send('POST /tasks/query {"id": 1}')
    expect(seen).toEqual([{ method: 'GET', path: '/tasks', query: { id: '1' }, body: {} }])
  })

  test('a sandbox', async () => {
    await start({ sandboxes: true })
    const answer = await send('POST /tasks/query {"id": 1}', { 'X-Sandbox': 'lab' })
    expect(ids(answer)).toEqual([1])
  })

  test('the log shows both', async () => {
    const lines: string[] = []
    const print = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text))
      return true
    })
    await start({ log: true })
    await send('POST /tasks/2/edit {"text": "new"}')
    await send('POST /tasks?id=1 {}')
    await until(() => lines.join('').includes('id=1'))
    print.mockRestore()
    expect(lines.join('')).toContain('POST /tasks/2/edit -> PATCH /tasks/2 200')
    expect(lines.join('')).toContain('POST /tasks?id=1 -> GET /tasks?id=1 200')
  })
})

test('the login stays reachable', async () => {
  await start({ routes: { 'POST /*': 'GET /tasks' } })
  expect(token).not.toBe('')
})

describe('what is refused at the start', () => {
  beforeEach(() => start())

  test.each([
    ['GET /tasks/1/delete', 'DELETE /tasks/1', /POST \/tasks\/1\/delete/],
    ['/tasks/1/delete', 'DELETE /tasks/1', /link/],
    ['/stored', 'POST /tasks', /link/],
    ['HEAD /a', '/b', /GET, POST, PUT, PATCH, DELETE/],
    ['post /a', '/b', /capitals/],
    ['/a', 'OPTIONS /b', /capitals/],
    ['POST /a', 'GET b', /path/],
    ['POST /a', 'GET /b/:id', /:id/],
  ])('"%s": "%s"', async (from, to, problem) => {
    expect(ruleProblem(from, to)).toMatch(problem)
    expect(() => serveApp({ data: sampleData(), routes: { [from]: to } })).toThrow(problem)
  })

  test.each([
    ['/a', 'GET /b'],
    ['DELETE /a', 'GET /b'],
    ['POST /a/:id', 'PUT /b/:id'],
    ['GET /v2(/.*)', '$1'],
  ])('but not "%s": "%s"', (from, to) => {
    expect(ruleProblem(from, to)).toBeUndefined()
  })
})
