import { isRecord } from '../../lib/is-record'
import { sampleData } from '../support/data'
import { Contract, expectDocumented, METHODS } from '../support/document'
import { ask, json, question, withHeaders } from '../support/http'
import { type Documented, documentedServers, withAda } from './documented'

/** More than the server reads of a form, in bytes. */
const LARGE = 'x'.repeat(200_000)

const start = documentedServers()

describe('each response is as documented', () => {
  let server: Documented
  let contract: Contract
  beforeAll(async () => {
    const routes = { '/blog/:id': '/blogs/:id', '/api/*': '/$1', '/newest': '/posts?_limit=1' }
    server = await start(sampleData(), { routes })
    contract = await Contract.of(server.url, routes)
  })
  beforeEach(() => server.data.replace(withAda(sampleData())))

  test.each<[line: string, status: number, headers?: Record<string, string>]>([
    ['POST /auth/login {"email": "ada@example.com", "password": "lovelace"}', 200],
    ['POST /auth/login email=ada%40example.com&password=lovelace', 200],
    ['POST /auth/login {"email": "ada@example.com", "password": "wrong"}', 401],
    ['POST /auth/login {', 400],
    ['POST /auth/login x={large}', 413],
    ['POST /auth/login {}', 415, { 'Content-Encoding': 'nonsense' }],
    ['GET /blogs', 200],
    ['GET /blogs', 304, { 'If-None-Match': '*' }],
    ['GET /blogs/1', 200],
    ['GET /blog/1', 200],
    ['GET /blogs/77', 404],
    ['GET /blogs/%E0%A4%A', 400],
    ['GET /api/users.php', 200],
    ['GET /api/users.php?id=1', 200],
    ['GET /api/users.php?id=x', 400],
    ['GET /api/users.php?id=77', 404],
    ['HEAD /blogs', 200],
    ['GET /api/blogs/2', 200],
  ])('%s -> %i without a token', async (line, status, headers = {}) => {
    const asked = withHeaders(question(line.replace('{large}', LARGE)), headers)
    const answer = await ask(server.url, asked)
    expect(answer.status).toBe(status)
    expectDocumented(contract, asked, answer)
  })

  test.each<[line: string, status: number, headers?: Record<string, string>]>([
    ['GET /users', 200],
    ['GET /users', 304, { 'If-None-Match': '*' }],
    ['GET /users?_page=1&_limit=1&_sort=name&_order=desc', 200],
    ['GET /posts?_embed=comments&views_gte=100', 200],
    ['GET /posts?title_like=[', 400],
    ['GET /comments?_expand=post', 200],
    ['GET /posts/1?_embed=comments', 200],
    ['GET /posts/1/comments?_limit=1', 200],
    ['GET /posts/77', 404],
    ['GET /newest', 200],
    ['GET /api/posts?_start=0&_end=1', 200],
    ['GET /db', 200],
    ['GET /profile', 200],
    ['POST /blogs {"title": "New"}', 201],
    ['POST /blogs {"id": 1}', 409],
    ['POST /blogs []', 400],
    ['POST /blogs text', 415, { 'Content-Type': 'text/plain' }],
    ['POST /blogs x={large}', 413],
    ['POST /posts/1/comments {"body": "Nested"}', 201],
    ['POST /profile {"name": "Posted"}', 201],
    ['PUT /profile {"name": "Put"}', 200],
    ['PATCH /profile {"name": "Patched"}', 200],
    ['PUT /blog/1 {"title": "Put"}', 200],
    ['PATCH /blogs/2 {"title": "Patched"}', 200],
    ['PATCH /blogs/77 {"title": "Nobody"}', 404],
    ['DELETE /blogs/3', 200],
    ['DELETE /blogs/77', 404],
  ])('%s -> %i with a token, 401 without', async (line, status, headers = {}) => {
    const asked = withHeaders(question(line.replace('{large}', LARGE)), headers)
    const refusal = await ask(server.url, asked)
    expect(refusal.status).toBe(401)
    expectDocumented(contract, asked, refusal)
    const authorized = withHeaders(asked, server.authorization)
    const answer = await ask(server.url, authorized)
    expect(answer.status).toBe(status)
    expectDocumented(contract, authorized, answer)
  })

  test('every documented operation without a token gets the response that it documents', async () => {
    const document = json(await ask(server.url, { path: '/openapi.json' }))
    const paths = isRecord(document) && isRecord(document.paths) ? document.paths : {}
    for (const [template, item] of Object.entries(paths)) {
      for (const method of METHODS) {
        const operation = isRecord(item) ? item[method] : undefined
        if (operation === undefined) continue
        const asked = { method: method.toUpperCase(), path: template.replace(/\{\w+\}/g, '1') }
        const { status } = await ask(server.url, asked)
        const isPublic = isRecord(operation) && JSON.stringify(operation.security) === '[]'
        expect({ ...asked, unauthorized: status === 401 }).toEqual({
          ...asked,
          unauthorized: !isPublic || template.endsWith('/auth/login'),
        })
      }
    }
  })
})
