import type { RequestHandler } from 'express'
import { type RewriteRules, ruleProblem } from '../../lib/http/rewrite-rules'
import { rewriter, showRules } from '../../middlewares/rewriter'
import { createApp } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { ask, json, serve, serveHandlers, type TestServer } from '../support/http'

const RULES = {
  '/api/*': '/$1',
  '/blog/:id': '/blogs/:id',
  '/:resource/:id/show': '/:resource/:id',
  '/articles\\?id=:id': '/posts/:id',
  '/newest': '/blogs?_sort=id&_order=desc',
  '/only/:id(\\d+)': '/blogs/:id',
  '/(old|older)/(.*)': '/$2?from=$1',
  '/v2(/.*)': '$1',
}

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(
    rewriter(() => RULES),
    showRules(() => RULES),
    (request, response) => {
      response.json({ url: request.url, query: request.query })
    },
  )
})
afterAll(() => server.close())

test.each([
  { path: '/users', url: '/users', query: {} },
  { path: '/api/users', url: '/users', query: {} },
  { path: '/api/users/1/posts', url: '/users/1/posts', query: {} },
  { path: '/blog/1', url: '/blogs/1', query: {} },
  { path: '/posts/3/show', url: '/posts/3', query: {} },
  { path: '/articles?id=7', url: '/posts/7', query: {} },
  { path: '/only/7', url: '/blogs/7', query: {} },
  { path: '/only/all', url: '/only/all', query: {} },
  { path: '/older/posts/1', url: '/posts/1?from=older', query: { from: 'older' } },
  { path: '/v2/posts/1', url: '/posts/1', query: {} },
  { path: '/newest', url: '/blogs?_sort=id&_order=desc', query: { _sort: 'id', _order: 'desc' } },
  // Rules apply one after the other, in the order in which they are written.
  { path: '/api/blog/2', url: '/blogs/2', query: {} },
])('$path is rewritten to $url', async ({ path, url, query }) => {
  const answer = await ask(server.url, { path })
  expect(json(answer)).toMatchObject({ url })
  if (!path.includes('?')) expect(json(answer)).toMatchObject({ query })
})

test.each([
  { problem: /"\/a".*":id"/, from: '/a', to: '/b/:id' },
  { problem: /"\/a".*path/, from: '/a', to: '' },
  { problem: /"\/a".*path/, from: '/a', to: 'posts' },
  { problem: /"\/a".*path/, from: '/a', to: 1 },
  { problem: /cannot be used/, from: '/:a([)', to: '/b' },
  { problem: /"posts".*json-server-auth/, from: 'posts', to: 664 },
])('the rule from $from to $to cannot be used', ({ problem, from, to }) => {
  expect(ruleProblem(from, to)).toMatch(problem)
  if (typeof to === 'string') expect(() => rewriter({ [from]: to })).toThrow(TypeError)
})

test.each(Object.entries(RULES))('the rule from %s to %s can be used', (from, to) => {
  expect(ruleProblem(from, to)).toBeUndefined()
})

test.each<RewriteRules>([
  { '/*': '/blogs' },
  { '/:a': '/b/:a', '/:a/:b': '/:a' },
  { '/auth/login': '/login', '/auth/*': '/$1' },
])('the rules %j hide neither the login nor /__rules', async (rules) => {
  const target: RequestHandler = (request, response) => {
    response.json(request.url)
  }
  const shadowing = await serveHandlers(rewriter(rules), showRules(rules), target)
  expect(json(await ask(shadowing.url, { method: 'POST', path: '/auth/login?a=b' }))).toBe('/auth/login?a=b')
  expect(json(await ask(shadowing.url, { path: '/auth/login' }))).not.toBe('/auth/login')
  expect(json(await ask(shadowing.url, { path: '/__rules' }))).toEqual(rules)
  await shadowing.close()
})

test('GET /__rules -> 200 and no rules, where none are in the given file', async () => {
  const empty = await serveHandlers(showRules({}))
  const answer = await ask(empty.url, { path: '/__rules' })
  expect(answer.status).toBe(200)
  expect(json(answer)).toEqual({})
  await empty.close()
})

test('without rules there is no /__rules', async () => {
  const none = await serveApp({ data: sampleData(), allow: 'all' })
  expect((await ask(none.url, { path: '/__rules' })).status).toBe(404)
  await none.close()
})

test.each(['/__rules', '/__rules/', '/__RULES'])('GET %s -> 200 and the rules', async (path) => {
  const answer = await ask(server.url, { path })
  expect(answer.status).toBe(200)
  expect(json(answer)).toEqual(RULES)
})

test('the rewriter alone does not show the rules', async () => {
  const alone = await serveHandlers(
    rewriter(() => RULES),
    (_request, response) => {
      response.status(418).end()
    },
  )
  expect((await ask(alone.url, { path: '/__rules' })).status).toBe(418)
  await alone.close()
})

test('other rules replace the old ones at once', async () => {
  let rules: RewriteRules = { '/a': '/old' }
  const current = () => rules
  const changing = await serveHandlers(rewriter(current), showRules(current), (request, response) => {
    response.json(request.url)
  })
  expect(json(await ask(changing.url, { path: '/a' }))).toBe('/old')
  rules = { '/b': '/new' }
  expect(json(await ask(changing.url, { path: '/a' }))).toBe('/a')
  expect(json(await ask(changing.url, { path: '/b' }))).toBe('/new')
  expect(json(await ask(changing.url, { path: '/__rules' }))).toEqual(rules)
  await changing.close()
})

test('a path that takes a rule too long is 414, whichever step asks for the rules first', async () => {
  const routes = { '/v1:rest*': '/:rest' }
  for (const options of [{}, { sandboxes: true }, { faults: [] }]) {
    const slow = await serve(createApp({ data: sampleData(), routes, log: false, ...options }))
    for (const headers of 'sandboxes' in options ? [{}, { 'X-Sandbox': 'lab' }] : [{}]) {
      const answer = await ask(slow.url, { path: `/v1${'a'.repeat(100)}//`, headers })
      expect(answer.status).toBe(414)
      expect(json(answer)).toEqual({ error: expect.stringContaining('"/v1:rest*"') })
      expect((await ask(slow.url, { path: '/v1blogs', headers })).status).toBe(200)
    }
    await slow.close()
  }
})
