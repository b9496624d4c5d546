import type { IncomingHttpHeaders } from 'node:http'
import { type AppOptions, createApp } from '../../../../server'
import { ADA, sampleData } from '../../../support/data'
import { listenTo } from '../../../support/events'
import { ask, authorized, json, logIn, logInTo, send, serve, until } from '../../../support/http'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const GRACE = { email: 'grace@example.com', password: 'hopper' }
const REQUESTS = '/docs/requests'
const STREAM = { Accept: 'text/event-stream' }
const LINK = {
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-User': '?1',
}

async function start(options: Partial<AppOptions> = {}): Promise<string> {
  const server = await serve(createApp({ data: sampleData(), docs: true, log: false, ...options }))
  closing.push(() => server.close())
  return server.url
}

async function shown(url: string, token?: string, sandbox?: string): Promise<unknown> {
  return json(await send(url, `GET ${REQUESTS}`, { token, sandbox }))
}

/** The targets that somebody sees, without the logins of the test. */
async function targets(url: string, token?: string, sandbox?: string): Promise<string[]> {
  const requests = await shown(url, token, sandbox)
  if (!Array.isArray(requests)) throw new Error(`It was ${JSON.stringify(requests)}.`)
  return requests.map(({ target }) => String(target)).filter((target) => target !== '/auth/login')
}

test.each<[string, Partial<AppOptions>, IncomingHttpHeaders, number]>([
  ['nobody', {}, {}, 401],
  ['nobody, as a stream', {}, STREAM, 401],
  ['nobody, though a rule opens it', { allow: ['GET /docs/requests'] }, {}, 401],
  ['nobody, though a rule opens all of its kind', { allow: ['GET /docs/:id'] }, STREAM, 401],
  ['another Origin', { allow: 'all' }, { origin: 'http://example.com' }, 403],
  ['a foreign Host', { allow: 'all' }, { host: 'example.com' }, 403],
  ['a link of another site', { allow: 'all' }, LINK, 403],
  ['who is open to all', { allow: 'all' }, {}, 200],
])('32, 33: the requests, to %s: %j %j -> %i', async (_who, options, headers, status) => {
  const { text, status: actual } = await ask(await start(options), { path: REQUESTS, headers })
  expect(actual).toBe(status)
  if (status !== 200) expect(text).not.toContain('target')
})

test('32: another site gets nothing by the cookie of a login', async () => {
  const url = await start({ tokenIn: 'cookie:session', login: '/in' })
  const { headers } = await send(url, 'POST /in', { body: ADA })
  const Cookie = String(headers['set-cookie']?.[0]?.split(';')[0])
  expect((await ask(url, { path: REQUESTS, headers: { Cookie } })).status).toBe(200)
  const foreign = { Cookie, Origin: 'http://example.com', 'Sec-Fetch-Site': 'cross-site' }
  expect((await ask(url, { path: REQUESTS, headers: foreign })).status).toBe(401)
})

test('34: a link from another site opens / and the page of the data, and nothing else', async () => {
  const url = await start({ allow: 'all' })
  const statuses = ['/', '/docs/data', '/docs', '/docs/data.mjs', '/openapi.json', REQUESTS, '/posts'].map(
    async (path) => (await ask(url, { path, headers: LINK })).status,
  )
  expect(await Promise.all(statuses)).toEqual([302, 200, 200, 403, 403, 403, 403])
})

test('31: the content security policy of the page is that of Swagger UI, and strict', async () => {
  const url = await start()
  const [data, api] = await Promise.all(['/docs/data', '/docs'].map((path) => ask(url, { path })))
  const policy = String(data?.headers['content-security-policy'])
  expect(policy).toBe(api?.headers['content-security-policy'])
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(data?.text).not.toMatch(/https?:|<script>|\sstyle=|\son\w+=/)
})

test('35, 36: targets are without secrets, and 200 are kept, each of at most 2,000 characters', async () => {
  const url = await start()
  const token = await logIn(url)
  for (let index = 0; index < 210; index += 1) await send(url, `GET /posts/${index}`)
  for (const path of [`/posts?token=abc&password=abc&x=${token}`, `/posts/${token}`, `/${'a'.repeat(9000)}`])
    await send(url, `GET ${path}`, { token })
  const all = await targets(url, token)
  expect(all).toHaveLength(200)
  expect(all.slice(-3)).toEqual(['/posts?token=***&password=***&x=***', '/posts/***', `/${'a'.repeat(1999)}`])
})

test('37, 38: without a log, each request has its reason, and the stream has those that come', async () => {
  const url = await start()
  const token = await logIn(url)
  const events = await listenTo(url, REQUESTS, authorized(token))
  closing.unshift(() => events.close())
  await send(url, 'GET /order')
  await send(url, 'GET /postz', { token })
  await until(() => events.text().includes('postz'))
  expect(await shown(url, token)).toMatchObject([
    { method: 'POST', target: '/auth/login', status: 200, page: false },
    { method: 'GET', target: '/order', status: 401, reason: expect.any(String) },
    { method: 'GET', target: '/postz', status: 404, reason: expect.stringContaining('posts') },
  ])
})

test.each(['HEAD', 'POST', 'DELETE'])(
  '39: %s of the requests is 404, as any unknown path',
  async (method) => {
    const url = await start()
    const token = await logIn(url)
    const { status } = await send(url, `${method} ${REQUESTS}`, { token })
    expect(status).toBe(404)
  },
)

test('those of the page itself say so, and it is not logged what it asks for here', async () => {
  const url = await start()
  const token = await logIn(url)
  const headers = { ...authorized(token), Referer: `${url}/docs/data` }
  await ask(url, { path: '/posts', headers })
  await shown(url, token)
  expect(await shown(url, token)).toMatchObject([{ page: false }, { target: '/posts', page: true }])
})

test('with --private, each sees their own and those that have no user, and --user sees all', async () => {
  const me = { email: 'me', password: 'secret' }
  const url = await start({ private: ['posts'], logins: [me], me: 'PATCH /own' })
  const [ada, grace, all] = await Promise.all([ADA, GRACE, me].map((one) => logInTo(url, undefined, one)))
  await send(url, 'GET /posts?by=ada', { token: ada })
  await send(url, 'GET /posts?by=grace', { token: grace })
  await send(url, 'GET /posts?by=nobody')
  // It has no record of its own, so that this is refused.
  expect((await send(url, 'PATCH /own?by=me', { token: all, body: {} })).status).toBe(404)
  expect(await targets(url, ada)).toEqual(['/posts?by=ada', '/posts?by=nobody'])
  expect(await targets(url, grace)).toEqual(['/posts?by=grace', '/posts?by=nobody'])
  expect(await targets(url, all)).toEqual([
    '/posts?by=ada',
    '/posts?by=grace',
    '/posts?by=nobody',
    '/own?by=me',
  ])
})

test('in a sandbox, the requests are those of that sandbox alone', async () => {
  const url = await start({ sandboxes: true })
  const token = await logIn(url)
  await send(url, 'GET /posts', { token })
  await send(url, 'GET /tags', { token, sandbox: 'lab' })
  expect(await targets(url, token, 'lab')).toEqual(['/tags'])
})

test('the document names what is there, with the id property, and no values', async () => {
  const data = { posts: [{ _id: 1, secret: 'value' }], blogs: [], 'my list': [], profile: { name: 'value' } }
  const url = await start({ data, idProperty: '_id', readOnly: true, routes: { '/api/*': '/$1' } })
  const document = json(await ask(url, { path: '/openapi.json' }))
  const list = (name: string, path: string) => ({ name, path, isList: true })
  expect(document).toMatchObject({
    'x-data': {
      idProperty: '_id',
      readOnly: true,
      resources: [
        list('posts', '/api/posts'),
        list('blogs', '/api/blogs/'),
        list('my list', '/api/my%20list'),
        { name: 'profile', path: '/api/profile', isList: false },
      ],
    },
  })
})

test('without --docs, nothing is kept', async () => {
  const url = await start({ docs: false })
  const token = await logIn(url)
  expect((await send(url, `GET ${REQUESTS}`, { token })).status).toBe(404)
})
