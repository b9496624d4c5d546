import { createHook } from 'node:async_hooks'
import zlib, { gunzipSync } from 'node:zlib'
import { PreparedResponse } from '../../../lib/http/prepared-response'
import { ask, serveHandlers, type TestServer } from '../../support/http'

const VALUE = { texts: Array.from({ length: 200 }, (_, id) => ({ id, text: 'é' })) }
const TEXT = JSON.stringify(VALUE, null, 2)

let server: TestServer

function start(compression: boolean): Promise<TestServer> {
  const prepared = new PreparedResponse(Buffer.from(JSON.stringify(VALUE, null, 2)))
  return serveHandlers((request, response, next) => {
    prepared.send(request, response, { compression }).catch(next)
  })
}

describe('with compression', () => {
  beforeAll(async () => {
    server = await start(true)
  })
  afterAll(() => server.close())

  test.each(['gzip', 'gzip, deflate, br', '*', 'identity;q=0.5, gzip'])(
    'Accept-Encoding: %s -> gzip',
    async (accepted) => {
      const answer = await ask(server.url, { path: '/', headers: { 'Accept-Encoding': accepted } })
      expect(answer.headers['content-encoding']).toBe('gzip')
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(answer.headers.vary).toBe('Accept-Encoding')
      expect(answer.bytes.length).toBeLessThan(TEXT.length / 2)
      expect(gunzipSync(answer.bytes).toString()).toBe(TEXT)
    },
  )

  test.each<Record<string, string>>([
    {},
    { 'Accept-Encoding': 'identity' },
    { 'Accept-Encoding': 'gzip;q=0' },
    { 'Accept-Encoding': 'br' },
  ])('%j -> plain', async (headers) => {
    const answer = await ask(server.url, { path: '/', headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(TEXT)))
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(answer.text).toBe(TEXT)
  })

  test('HEAD -> the headers of GET', async () => {
    const headers = { 'Accept-Encoding': 'gzip' }
    const get = await ask(server.url, { path: '/', headers })
    const head = await ask(server.url, { method: 'HEAD', path: '/', headers })
    expect(head.bytes).toHaveLength(0)
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })

  test('If-None-Match with the ETag -> 304 without a body, whatever the encoding', async () => {
    const { etag = '' } = (await ask(server.url, { path: '/' })).headers
    expect(etag).toMatch(/^W\/"/)
    for (const accepted of ['gzip', 'identity']) {
      const headers = { 'If-None-Match': etag, 'Accept-Encoding': accepted }
      const answer = await ask(server.url, { path: '/', headers })
      expect(answer.status).toBe(304)
      expect(answer.bytes).toHaveLength(0)
      expect(answer.headers.etag).toBe(etag)
      expect(answer.headers['content-encoding']).toBeUndefined()
    }
  })

  test('If-None-Match with another ETag -> 200', async () => {
    const answer = await ask(server.url, { path: '/', headers: { 'If-None-Match': 'W/"other"' } })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(TEXT)
  })
})

test('without compression a response is plain, and does not vary by encoding', async () => {
  const plain = await start(false)
  const answer = await ask(plain.url, { path: '/', headers: { 'Accept-Encoding': 'gzip' } })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers.vary).toBeUndefined()
  expect(answer.text).toBe(TEXT)
  await plain.close()
})

test('later changes to the value do not show', async () => {
  const value = { list: [1] }
  const prepared = new PreparedResponse(Buffer.from(JSON.stringify(value, null, 2)))
  value.list.push(2)
  const server = await serveHandlers((request, response, next) => {
    prepared.send(request, response, { compression: true }).catch(next)
  })
  const answer = await ask(server.url, { path: '/' })
  expect(answer.text).toBe(JSON.stringify({ list: [1] }, null, 2))
  await server.close()
})

test('a response that many ask for at once is compressed once, with its content type', async () => {
  const prepared = new PreparedResponse(Buffer.from(TEXT), 'text/css; charset=utf-8')
  const server = await serveHandlers((request, response, next) => {
    prepared.send(request, response, { compression: true }).catch(next)
  })
  let compressions = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') compressions += 1
    },
  }).enable()
  const headers = { 'Accept-Encoding': 'gzip' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server.url, { path: '/', headers })))
  hook.disable()
  expect(new Set(answers.map((answer) => answer.headers['content-encoding']))).toEqual(new Set(['gzip']))
  expect(answers[0]?.headers['content-type']).toBe('text/css; charset=utf-8')
  expect(compressions).toBe(1)
  await server.close()
})

test('a compression that fails once is tried again for the next client', async () => {
  const gzip = jest.spyOn(zlib, 'gzip').mockImplementationOnce((_body, done) => {
    // The types of Node know only the form without options under this name.
    if (typeof done === 'function') Reflect.apply(done, undefined, [new Error('no memory')])
  })
  const broken = jest.spyOn(console, 'error').mockImplementation()
  const failing = await start(true)
  const headers = { 'Accept-Encoding': 'gzip' }
  const statuses = []
  for (let round = 0; round < 3; round += 1)
    statuses.push((await ask(failing.url, { path: '/', headers })).status)
  expect(statuses).toEqual([500, 200, 200])
  expect(gzip).toHaveBeenCalledTimes(2)
  for (const spy of [gzip, broken]) spy.mockRestore()
  await failing.close()
})
