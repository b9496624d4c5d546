import type { ServerResponse } from 'node:http'
import jsonServer from 'json-server'
import { HttpError } from '../../../lib/errors'
import { waitForWrites } from '../../../lib/json-server/wait-for-writes'
import { ask, askJson, json, serveHandlers, type TestServer } from '../../support/http'

function newRouter(data: object = { posts: [{ id: 1, title: 'one' }], profile: { name: 'Ada' } }) {
  return jsonServer.router(data, { foreignKeySuffix: 'Id' })
}

let server: TestServer | undefined

afterEach(() => server?.close())

/** A server that calls a function for each write, and waits for the promise that it returns. */
async function start(write: () => Promise<void>, router = newRouter()): Promise<string> {
  waitForWrites(router, write)
  // json-server's own error handler.
  router.stack.pop()
  server = await serveHandlers(router)
  return server.url
}

it.each([
  { method: 'POST', path: '/posts', body: { title: 'two' }, status: 201 },
  { method: 'PUT', path: '/posts/1', body: { title: 'two' }, status: 200 },
  { method: 'PATCH', path: '/posts/1', body: { title: 'two' }, status: 200 },
  { method: 'DELETE', path: '/posts/1', body: {}, status: 200 },
  { method: 'POST', path: '/profile', body: { name: 'Bob' }, status: 201 },
  { method: 'PUT', path: '/profile', body: { name: 'Bob' }, status: 200 },
  { method: 'PATCH', path: '/profile', body: { name: 'Bob' }, status: 200 },
])('$method $path waits for its write', async ({ method, path, body, status }) => {
  const order: string[] = []
  const url = await start(async () => {
    // A whole request fits into the write.
    await ask(url, { path: '/db' })
    order.push('written')
  })
  const answer = await askJson(url, { method, path, body })
  order.push('answered')
  expect([answer.status, ...order]).toEqual([status, 'written', 'answered'])
})

it.each(['PUT', 'PATCH', 'DELETE'])('%s of a missing record writes nothing', async (method) => {
  const write = jest.fn(async () => {})
  const url = await start(write)
  expect((await askJson(url, { method, path: '/posts/9', body: {} })).status).toBe(404)
  expect(write).not.toHaveBeenCalled()
})

it('the response reports the change as it was made, in the form that JSON gives it', async () => {
  const at = { toJSON: () => 'a moment' }
  const post = { id: 1, title: 'one', at }
  const url = await start(
    async () => {
      post.title = 'three'
    },
    newRouter({ posts: [post] }),
  )
  const answer = await askJson(url, { method: 'PATCH', path: '/posts/1', body: { title: 'two' } })
  expect(json(answer)).toEqual({ id: 1, title: 'two', at: 'a moment' })
})

it('a write that fails makes the request fail', async () => {
  const url = await start(() => Promise.reject(new HttpError({ status: 503, message: 'Later.' })))
  const { status, headers, text } = await askJson(url, { method: 'POST', path: '/posts', body: {} })
  expect({ status, location: headers.location, body: JSON.parse(text) }).toEqual({
    status: 503,
    location: undefined,
    body: { error: 'Later.' },
  })
})

it('a write that fails after a middleware has responded does not end the process', async () => {
  const router = newRouter()
  const responses: ServerResponse[] = []
  waitForWrites(router, async () => {
    for (const response of responses) response.end('too late')
    throw new HttpError({ status: 500, message: 'It was not saved.' })
  })
  router.stack.pop()
  server = await serveHandlers((_request, response, next) => {
    responses.push(response)
    next()
  }, router)
  const { url } = server
  await askJson(url, { method: 'POST', path: '/posts', body: {} }).catch(() => {})
  responses.length = 0
  expect((await ask(url, { path: '/db' })).status).toBe(200)
})
