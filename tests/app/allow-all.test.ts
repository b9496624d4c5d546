import type { RequestHandler } from 'express'
import jwt from 'jsonwebtoken'
import { MemoryData } from '../../lib/data/data-source'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { ADA, sampleData } from '../support/data'
import { ask, authorized, json, logIn, type Question, type TestServer } from '../support/http'

const SECRET = 'the signing secret of these tests only'

let server: TestServer
let data: MemoryData

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(sampleData())
  server = await serveApp({ data, allow: 'all', secret: SECRET, ...options })
}
afterEach(() => server?.close())

function send(line: string, headers: Record<string, string> = {}, body?: unknown) {
  const [method = '', path = ''] = line.split(' ')
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const question: Question = { method, path, headers: { ...type, ...headers } }
  return ask(server.url, body === undefined ? question : { ...question, body: JSON.stringify(body) })
}

/** Authorization headers that are not valid, and none. */
const USELESS: [string, string | undefined][] = [
  ['none', undefined],
  ['empty', ''],
  ['the word null', 'null'],
  ['Bearer null', 'Bearer null'],
  ['Bearer undefined', 'Bearer undefined'],
  ['foreign', `Bearer ${jwt.sign({ sub: '1', exp: 9e9 }, 'another secret')}`],
  ['expired', `Bearer ${jwt.sign({ ...ADA, exp: 1 }, SECRET)}`],
  ['without an expiry', `Bearer ${jwt.sign(ADA, SECRET)}`],
  ['Basic', 'Basic YWRhOmxvdmVsYWNl'],
  ['in lower case', `bearer ${jwt.sign({ ...ADA, exp: 9e9 }, SECRET)}`],
]

function header(authorization: string | undefined): Record<string, string> {
  return authorization === undefined ? {} : { Authorization: authorization }
}

/** What json-server responds to, and the status of its response. */
const LINES: [line: string, status: number, body?: unknown][] = [
  ['GET /blogs', 200],
  ['GET /blogs/1', 200],
  ['HEAD /users', 200],
  ['GET /users', 200],
  ['GET /users/', 200],
  ['GET /Users', 200],
  ['GET /users/1', 200],
  ['GET /users/9', 404],
  ['GET /users/1/posts', 200],
  ['GET /posts/1/comments', 200],
  ['GET /posts?_embed=comments', 200],
  ['GET /comments?_expand=post', 200],
  ['GET /comments/1?_expand=post', 200],
  ['GET /posts?q=hello&_sort=views&_order=desc&_page=1&_limit=1', 200],
  ['GET /posts?callback=show', 200],
  ['GET /posts?_delay=1', 200],
  ['GET /profile', 200],
  ['GET /db', 200],
  ['GET /__rules', 200],
  ['GET /nothing', 404],
  ['POST /posts', 201, { title: 'New' }],
  ['POST /posts/1/comments', 201, { body: 'new' }],
  ['PUT /posts/1', 200, { title: 'Put' }],
  ['PATCH /articles/1', 200, { title: 'Patched' }],
  ['PUT /profile', 200, { name: 'Put' }],
  ['DELETE /tags/a1b2', 200],
  ['POST /posts', 400, [1]],
  ['DELETE /posts/9', 404],
]

describe('every request is served, as with a valid token', () => {
  const routes = { '/articles/:id': '/posts/:id' }

  test('without a token', async () => {
    const answers = async (headers: Record<string, string>) => {
      await start({ routes, sandboxes: true, docs: true })
      const found = []
      for (const [line, status, body] of LINES) {
        const answer = await send(line, headers, body)
        expect({ line, status: answer.status }).toEqual({ line, status })
        found.push({ line, text: answer.text, count: answer.headers['x-total-count'] })
      }
      const state = JSON.stringify(data.state)
      await server.close()
      return { found, state }
    }
    const open = await answers({})
    const withToken = await answers({ Authorization: `Bearer ${jwt.sign({ ...ADA, exp: 9e9 }, SECRET)}` })
    expect(open).toEqual(withToken)
    await start()
  })

  test.each(USELESS)('with a token that is %s', async (_title, authorization) => {
    await start({ sandboxes: true })
    const path = '/users/1/posts?_embed=comments&_delay=1'
    expect((await send(`GET ${path}`, header(authorization))).status).toBe(200)
    expect((await send('POST /posts', header(authorization), { title: 'New' })).status).toBe(201)
  })

  test("/blogs is json-server's own array, unless it is public", async () => {
    await start()
    expect(json(await send('GET /blogs?id=1'))).toMatchObject([{ title: 'One' }])
    await server.close()
    await start({ publicCollection: 'blogs' })
    expect(json(await send('GET /blogs'))).toMatchObject({ blogs: [{}, {}, {}] })
  })

  test('the method and the path after an override and a rule count', async () => {
    await start({ routes })
    expect((await send('POST /articles/1', { 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(200)
    expect((await send('GET /posts/1')).status).toBe(404)
  })

  test('a middleware may lead a login to a resource', async () => {
    await start({
      middlewares: [
        (request, _response, next) => {
          request.url = request.url.replace('/auth/login', '/posts')
          next()
        },
      ],
    })
    expect((await send('POST /auth/login', {}, { title: 'New' })).status).toBe(201)
  })

  test('read-only, and the longest delay, stay', async () => {
    await start({ readOnly: true })
    expect((await send('POST /posts', {}, {})).status).toBe(403)
    const delays: (number | undefined)[] = []
    const real = setTimeout
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation((act, milliseconds) => {
      delays.push(milliseconds)
      return real(act, 0)
    })
    expect((await send('GET /posts?_delay=99999')).status).toBe(200)
    spy.mockRestore()
    expect(delays).toContain(10_000)
  })
})

describe('the login and who am I', () => {
  test('a login gives a token, which works: the middlewares see its claims', async () => {
    const seen: unknown[] = []
    const middleware: RequestHandler = ({ auth }, _response, next) => {
      seen.push(auth?.email)
      next()
    }
    await start({ middlewares: [middleware] })
    const token = await logIn(server.url)
    expect((await send('GET /posts', authorized(token))).status).toBe(200)
    expect((await send('GET /posts', { Authorization: 'Bearer null' })).status).toBe(200)
    // They see the login as well, which comes before any token.
    expect(seen).toEqual([undefined, ADA.email, undefined])
    expect(json(await send('GET /auth/me', authorized(token)))).toMatchObject({ name: 'Ada' })
    const wrong = await send('POST /auth/login', {}, { ...ADA, password: 'wrong' })
    expect({ status: wrong.status, text: wrong.text }).toEqual({ status: 401, text: '"Unauthorized"' })
  })

  test.each(USELESS)('only who am I refuses a token that is %s', async (_title, authorization) => {
    await start()
    const { status, headers, text } = await send('GET /auth/me', header(authorization))
    expect({ status, text }).toEqual({ status: 401, text: '"Unauthorized"' })
    const wasSent = /^Bearer /.test(authorization ?? '')
    expect(headers['www-authenticate']).toMatch(wasSent ? /^Bearer error="invalid_token"/ : /^Bearer$/)
  })

  test('who am I takes a token of a sandbox on a server without any', async () => {
    await start()
    const token = jwt.sign({ ...ADA, exp: 9e9, sandbox: 'lab' }, SECRET)
    expect(json(await send('GET /auth/me', authorized(token)))).toMatchObject({ name: 'Ada' })
  })
})

describe('sandboxes', () => {
  const lab = { 'X-Sandbox': 'lab' }

  test.each(['', 'Bearer null'])(
    'are changed, are controlled and keep a journal with the token "%s"',
    async (token) => {
      await start({ sandboxes: true })
      const headers = { ...lab, Authorization: token }
      expect((await send('POST /posts', headers, { title: 'Mine' })).status).toBe(201)
      expect((await send('GET /posts', lab)).text).toContain('Mine')
      expect((await send('GET /posts')).text).not.toContain('Mine')
      expect(json(await send('GET /__sandbox/requests?method=POST', headers))).toMatchObject([
        { method: 'POST', path: '/posts', status: 201 },
      ])
      expect((await send('PUT /__sandbox/faults', headers, [{ path: '/posts', status: 503 }])).status).toBe(
        204,
      )
      expect((await send('GET /posts', headers)).status).toBe(503)
      expect((await send('POST /__sandbox/reset', headers)).status).toBe(204)
      expect((await send('GET /posts', headers)).text).not.toContain('Mine')
      expect((await send('DELETE /__sandbox', headers)).status).toBe(204)
    },
  )

  test('the claim of a valid token names one, unless the header names another', async () => {
    await start({ sandboxes: true })
    const { access_token: token } = JSON.parse((await send('POST /auth/login', lab, ADA)).text)
    await send('DELETE /posts/1', authorized(token))
    expect((await send('GET /posts/1', lab)).status).toBe(404)
    expect((await send('GET /posts/1')).status).toBe(200)
    expect((await send('GET /posts/1', { ...authorized(token), 'X-Sandbox': 'other' })).status).toBe(200)
    expect(json(await send('GET /auth/me', authorized(token)))).toMatchObject({ name: 'Ada' })
  })

  test('a name that is none -> 400; a route of a sandbox without a name -> 400', async () => {
    await start({ sandboxes: true })
    expect((await send('GET /posts', { 'X-Sandbox': 'no name!' })).status).toBe(400)
    expect((await send('DELETE /__sandbox')).status).toBe(400)
  })
})
