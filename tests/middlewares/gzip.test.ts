import { gunzipSync } from 'node:zlib'
import { gzip } from '../../middlewares/gzip'
import { ask, serveHandlers, type TestServer } from '../support/http'

const LONG = 'text '.repeat(1000)

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers(gzip(), (request, response) => {
    response.type('text/plain').send(request.path === '/long' ? LONG : 'short')
  })
})
afterAll(() => server.close())

test.each<{ path: string; headers: Record<string, string>; encoding: string | undefined }>([
  { path: '/long', headers: { 'Accept-Encoding': 'gzip' }, encoding: 'gzip' },
  { path: '/short', headers: { 'Accept-Encoding': 'gzip' }, encoding: undefined },
  { path: '/long', headers: { 'Accept-Encoding': 'identity' }, encoding: undefined },
  { path: '/long', headers: { 'Accept-Encoding': '' }, encoding: undefined },
  { path: '/long', headers: {}, encoding: undefined },
])('GET $path with $headers -> $encoding', async ({ path, headers, encoding }) => {
  const answer = await ask(server.url, { path, headers })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers.vary).toBe('Accept-Encoding')
  const body = encoding === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
  expect(body.toString()).toBe(path === '/long' ? LONG : 'short')
})
