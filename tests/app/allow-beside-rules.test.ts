import type { RewriteRules } from '../../lib/http/rewrite-rules'
import { isRecord } from '../../lib/is-record'
import { createApp } from '../../server'
import { ask, authorized, json, logIn, question, send, serve, type TestServer } from '../support/http'

const data = () => ({
  users: [{ id: 1, email: 'ada@example.com', password: 'secret', todoId: 1 }],
  todos: [{ id: 1, userId: 1 }],
  shelf: [{ id: 1 }],
  secrets: [{ id: 1, todoId: 1 }],
})

let server: TestServer
afterEach(() => server.close())

async function start(allow: string[], rules: RewriteRules | (() => RewriteRules), more = {}): Promise<void> {
  server = await serve(createApp({ data: data(), log: false, allow, routes: rules, ...more }))
}

const statusOf = async (line: string): Promise<number> => (await ask(server.url, question(line))).status

test.each<[allow: string, rules: RewriteRules, asked: string, status: number]>([
  ['GET /api/todos', { '/api/*': '/$1' }, 'GET /api/todos', 200],
  ['GET /api/todos/:id', { '/api/*': '/$1' }, 'GET /api/todos/1', 200],
  ['GET /api/todos/:id', { '/api/*': '/$1' }, 'GET /api/todos', 401],
  ['GET /api/todos', { '/api/*': '/$1' }, 'GET /api/users', 401],
  ['POST /api/todos', { '/api/*': '/$1' }, 'POST /api/todos {"a": 1}', 201],
  ['GET /api/todos', { '/api/*': '/$1' }, 'POST /api/todos {"a": 1}', 401],
  ['GET /api/shop/shelf', { '/api/shop/*': '/$1' }, 'GET /api/shop/shelf', 200],
  // It opens where the rule leads, also by its own path.
  ['GET /api/todos', { '/api/*': '/$1' }, 'GET /todos', 200],
  ['GET /todos', { '/todos': '/secrets' }, 'GET /secrets', 200],
  ['GET /api/todos', { '/api/*': '/$1' }, 'GET /api/todos?_embed=secrets', 401],
  // What it leads to must have the form of a rule, and end in :id exactly if the rule does.
  ['GET /q/:id', { '/q/:id': '/users?id=:id' }, 'GET /q/1', 401],
  ['GET /q/:id', { '/q/:id': '/users?id=:id' }, 'GET /users', 401],
  ['GET /c/:id', { '/c/:id': '/todos/:id/secrets' }, 'GET /c/1', 401],
  ['GET /x/:id', { '/x/:id': '/:id' }, 'GET /x/users', 401],
  ['GET /x/:id', { '/x/:id': '/:id' }, 'GET /users', 401],
  ['GET /a', { '/a': '/users/1' }, 'GET /a', 200],
  ['GET /all/:id', { '/all/:id': '/todos' }, 'GET /all/1', 401],
  // The rules are followed for the path of the rule, not for each request.
  ['GET /api/find', { '/api/find\\?id=:n': '/users/:n' }, 'GET /api/find?id=1', 401],
  // No rule leads the login away.
  ['POST /api/login', { '/api/*': '/$1' }, 'POST /auth/login {}', 401],
])('%s beside %j: %s is %i', async (allow, rules, asked, status) => {
  await start([allow], rules)
  expect(await statusOf(asked)).toBe(status)
})

test('the rules are followed once', async () => {
  await start(['GET /a'], { '/b': '/users', '/a': '/b' })
  expect(await statusOf('GET /a')).toBe(404)
  for (const path of ['/b', '/users']) expect(await statusOf(`GET ${path}`)).toBe(401)
})

test('other rules open and close at once', async () => {
  let rules: RewriteRules = {}
  await start(['GET /api/todos'], () => rules)
  expect(await statusOf('GET /api/todos')).toBe(404)
  rules = { '/api/*': '/$1' }
  expect(await statusOf('GET /api/todos')).toBe(200)
  rules = { '/api/*': '/other/$1' }
  expect(await statusOf('GET /todos')).toBe(401)
})

test('a rule that takes too long ends no start, and opens nothing', async () => {
  const rules = { '/:a+/:b+/:c+/:d+/:e+/:f+/z': '/users' }
  const slow = `${'/a'.repeat(100)}/zz`
  await start([`GET ${slow}`, 'GET /todos'], rules)
  expect(await statusOf(`GET ${slow}`)).toBe(414)
  expect(await statusOf('GET /todos')).toBe(200)
  expect(await statusOf('GET /users')).toBe(401)
})

test('a sandbox has the same, and the document says it', async () => {
  await start(['GET /api/todos'], { '/api/*': '/$1' }, { sandboxes: true, docs: true })
  expect((await send(server.url, 'GET /api/todos', { sandbox: 'lab' })).status).toBe(200)
  const document = json(await ask(server.url, { path: '/openapi.json' }))
  const { paths } = isRecord(document) ? document : {}
  expect(paths).toMatchObject({
    '/api/todos': { get: { security: [{}, { sandbox: [] }] }, post: { security: [{ bearerAuth: [] }, {}] } },
  })
})

test('with a token, all is as without the rule', async () => {
  await start(['GET /api/todos'], { '/api/*': '/$1' })
  const headers = authorized(await logIn(server.url, { email: 'ada@example.com', password: 'secret' }))
  expect((await ask(server.url, { path: '/api/users', headers })).status).toBe(200)
})
