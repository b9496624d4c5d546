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

test.each<{ why: string; path: string; headers: Record<string, string>; encoding?: 'gzip' }>([
  { why: 'a long text', path: '/long', headers: { 'Accept-Encoding': 'gzip' }, encoding: 'gzip' },
  { why: 'a short text', path: '/short', headers: { 'Accept-Encoding': 'gzip' } },
  { why: 'another encoding', path: '/long', headers: { 'Accept-Encoding': 'identity' } },
  { why: 'an empty Accept-Encoding', path: '/long', headers: { 'Accept-Encoding': '' } },
  { why: 'no Accept-Encoding', path: '/long', headers: {} },
])('$why: GET $path', async ({ path, headers, encoding }) => {
  const answer = await ask(server.url, { path, headers })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect(answer.headers.vary).toBe('Accept-Encoding')
  const body = encoding === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
  expect(body.toString()).toBe(path === '/long' ? LONG : 'short')
})
