import type { RequestHandler } from 'express'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { logIn, type TestServer } from '../support/http'

let server: TestServer
afterEach(() => server.close())

/** Sends a form to an application. */
async function post(form: FormData, options: Partial<AppOptions> = {}, path = '/posts', method = 'POST') {
  server = await serveApp({ data: { ...sampleData(), posts: [{ id: 1 }] }, ...options })
  const headers = { Authorization: `Bearer ${await logIn(server.url)}` }
  const response = await fetch(server.url + path, { method, headers, body: form })
  return { status: response.status, body: await response.json() }
}

function formOf(...fields: (readonly [name: string, value: string | Blob])[]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

test('a form of texts alone is read as a form', async () => {
  const { status, body } = await post(formOf(['title', 'ä'], ['tag', 'a'], ['tag', 'b']))
  expect([status, body]).toEqual([201, { title: 'ä', tag: ['a', 'b'], id: 2 }])
})

test.each(['PUT', 'PATCH'])('also in a %s', async (method) => {
  const { status, body } = await post(formOf(['title', 'new']), {}, '/posts/1', method)
  expect([status, body]).toEqual([200, { title: 'new', id: 1 }])
})

test.each([
  ['a file', formOf(['title', 'a'], ['picture', new Blob(['x'])])],
  ['more than 100 kB', formOf(['title', 'a'.repeat(200 * 1024)])],
])('a form with %s is a 415 that names the recipe, and stores nothing', async (_what, form) => {
  const { status, body } = await post(form)
  expect([status, body]).toEqual([415, { error: expect.stringMatching(/docs\/data\.md/) }])
})

test('a form with a file that goes nowhere is a 404, and one with an answer of its own gets that', async () => {
  const form = () => formOf(['picture', new Blob(['x'])])
  expect((await post(form(), {}, '/nowhere')).status).toBe(404)
  await server.close()
  const faults = [{ path: '/upload', status: 201, body: { url: '/x.png' } }]
  expect(await post(form(), { faults }, '/upload')).toEqual({ status: 201, body: { url: '/x.png' } })
})

test('a form that is not valid is 400', async () => {
  server = await serveApp({ data: sampleData() })
  const headers = {
    Authorization: `Bearer ${await logIn(server.url)}`,
    'Content-Type': 'multipart/form-data; boundary=x',
  }
  const response = await fetch(`${server.url}/posts`, {
    method: 'POST',
    headers,
    body: 'nothing of the kind',
  })
  expect(response.status).toBe(400)
})

test('a middleware of the user has the stream', async () => {
  let length = 0
  const middleware: RequestHandler = (request, _response, next) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    request.on('end', () => {
      request.body = { title: 'read by a middleware' }
      next()
    })
  }
  const form = formOf(['picture', new Blob(['x'.repeat(1000)])])
  const { status, body } = await post(form, { middlewares: [middleware] })
  expect([status, body]).toEqual([201, { title: 'read by a middleware', id: 2 }])
  expect(length).toBeGreaterThan(1000)
})
