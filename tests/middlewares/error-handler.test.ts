import { EventEmitter, once } from 'node:events'
import { inspect } from 'node:util'
import type { RequestHandler } from 'express'
import { HttpError, UnauthorizedError } from '../../lib/errors'
import { ask, json, serveHandlers } from '../support/http'

const UNFORESEEN = { error: expect.stringContaining('console') }

let printed: jest.SpyInstance

beforeEach(() => {
  // As the console does, which inspects what it prints.
  printed = jest.spyOn(console, 'error').mockImplementation(inspect)
})
afterEach(() => jest.restoreAllMocks())

async function answerTo(handler: RequestHandler) {
  const server = await serveHandlers(handler)
  try {
    return await ask(server.url, { path: '/' })
  } finally {
    await server.close()
  }
}

test.each([
  {
    why: 'a mistake of the client',
    error: new HttpError({ status: 400, message: 'It was wrong.' }),
    status: 400,
    body: { error: 'It was wrong.' },
  },
  {
    why: 'a server that is busy',
    error: new HttpError({ status: 503, message: 'Try again later.' }),
    status: 503,
    body: { error: 'Try again later.' },
  },
  { why: 'no token', error: new UnauthorizedError(), status: 401, body: 'Unauthorized' },
  {
    why: 'an expired token',
    error: new UnauthorizedError({ reason: 'it expired', isInvalidToken: true }),
    status: 401,
    body: 'Unauthorized',
  },
])('$why -> $status with its own body', async ({ error, status, body }) => {
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.text).toBe(JSON.stringify(body, null, 2))
  expect(printed).not.toHaveBeenCalled()
})

test.each([
  { error: new UnauthorizedError(), challenge: 'Bearer' },
  {
    error: new UnauthorizedError({ reason: 'it expired', isInvalidToken: true }),
    challenge: 'Bearer error="invalid_token", error_description="it expired"',
  },
])('the challenge is $challenge', async ({ error, challenge }) => {
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.headers['www-authenticate']).toBe(challenge)
})

test.each([
  ['Retry-After', 'Retry-After, WWW-Authenticate'],
  [['X-One,X-Two', 'www-authenticate'], 'X-One, X-Two, www-authenticate'],
])(
  'the headers %j that pages of other origins can read stay, and the challenge is one of them',
  async (before, after) => {
    const answer = await answerTo((_request, response, next) => {
      response.setHeader('Access-Control-Expose-Headers', before)
      next(new UnauthorizedError({ reason: 'it expired', isInvalidToken: true }))
    })
    expect(answer.headers['access-control-expose-headers']).toBe(after)
  },
)

test('an error sets its headers, its text and its content type', async () => {
  const headers = { 'Content-Type': 'text/plain', 'Retry-After': '5' }
  const error = new HttpError({ status: 418, message: 'No coffee.', headers, text: 'Tea.' })
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(418)
  expect(answer.headers['content-type']).toBe('text/plain')
  expect(answer.headers['retry-after']).toBe('5')
  expect(answer.text).toBe('Tea.')
})

test.each([
  { title: 'an error', error: new Error('/home/ada/db.json is gone: lovelace') },
  { title: 'a type error', error: new TypeError("Cannot read properties of undefined (reading 'x')") },
  { title: 'a text', error: 'lovelace' },
  { title: 'an object', error: { password: 'lovelace' } },
  { title: 'a 500 of a library', error: Object.assign(new Error('lovelace'), { status: 500 }) },
  { title: 'a status that is none', error: Object.assign(new Error('lovelace'), { status: 200 }) },
])('an unexpected $title -> 500 without its text, which is printed', async ({ error }) => {
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(500)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual(UNFORESEEN)
  expect(printed).toHaveBeenCalledWith(error)
})

test.each([
  { title: 'status 503', fields: { status: 503 }, status: 503, body: UNFORESEEN },
  { title: 'statusCode 599', fields: { statusCode: 599 }, status: 599, body: UNFORESEEN },
  {
    title: 'an odd status and statusCode 502',
    fields: { status: 0, statusCode: 502 },
    status: 502,
    body: UNFORESEEN,
  },
  { title: 'status 429', fields: { status: 429 }, status: 429, body: { error: 'Too Many Requests.' } },
  { title: 'status 401', fields: { status: 401 }, status: 401, body: 'Unauthorized' },
])('an error with $title and headers -> $status with these headers', async ({ fields, status, body }) => {
  const headers = {
    'Retry-After': 7,
    'x-reason': 'tea',
    'Content-Length': '1',
    'transfer-encoding': 'chunked',
    Connection: 'close',
    Trailer: 'x-end',
    'Content-Type': 'text/html',
    'Content-Encoding': 'gzip',
    'X Y': 'no name',
    'X-Lines': 'a\nb',
    'X-None': undefined,
    'X-Object': {},
  }
  const error = Object.assign(new Error('lovelace'), fields, { headers })
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(status)
  expect(json(answer)).toEqual(body)
  const { date: _date, 'www-authenticate': challenge, ...sent } = answer.headers
  expect(challenge).toBe(status === 401 ? 'Bearer' : undefined)
  expect(sent).toEqual({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(answer.bytes.length),
    'retry-after': '7',
    'x-reason': 'tea',
    'cache-control': 'no-cache',
    pragma: 'no-cache',
    expires: '-1',
    connection: 'keep-alive',
    'keep-alive': expect.any(String),
  })
  // Only an error of the client needs no reason on the console.
  expect(printed.mock.calls).toEqual(status >= 500 ? [[error]] : [])
})

test.each([200, 399, 600, 503.5, Number.NaN, '503', null])('a status of %p -> 500', async (status) => {
  const error = Object.assign(new Error('lovelace'), { status, headers: null })
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(500)
  expect(json(answer)).toEqual(UNFORESEEN)
  expect(printed).toHaveBeenCalledWith(error)
})

function throwing(): never {
  throw new Error('lovelace')
}

const traps = new Proxy({}, { get: () => throwing })

test.each([
  { title: 'whose every trap throws', error: new Proxy({}, traps) },
  {
    title: 'with a stack that throws',
    error: Object.defineProperty(new Error(), 'stack', { get: throwing }),
  },
  {
    title: 'with a header that cannot be sent',
    error: new HttpError({ status: 400, message: 'Odd.', headers: { 'X-Odd': 'a\nb' } }),
  },
  { title: 'with a status that cannot be sent', error: new HttpError({ status: 7, message: 'Odd.' }) },
])('an error $title -> 500 without its text', async ({ error }) => {
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(500)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(json(answer)).toEqual(UNFORESEEN)
  expect(printed).toHaveBeenCalled()
})

test('an error that is thrown is rendered like one that is passed on', async () => {
  const answer = await answerTo(() => {
    throw new HttpError({ status: 409, message: 'There is one already.' })
  })
  expect(answer.status).toBe(409)
  expect(json(answer)).toEqual({ error: 'There is one already.' })
})

test.each([
  {
    status: 400,
    type: 'entity.parse.failed',
    sentence: expect.stringContaining('JSON'),
  },
  { status: 413, type: 'entity.too.large', sentence: expect.stringContaining('larger') },
  { status: 415, type: 'charset.unsupported', sentence: expect.stringContaining('charset') },
  { status: 415, type: 'encoding.unsupported', sentence: expect.stringContaining('Content-Encoding') },
  { status: 404, type: undefined, sentence: 'Not Found.' },
  { status: 499, type: undefined, sentence: 'Bad Request.' },
])('a $status of a library, of the type $type, -> $status', async ({ status, type, sentence }) => {
  const error = Object.assign(new Error('Unexpected token in {"password":"lovelace"}'), { status, type })
  const answer = await answerTo((_request, _response, next) => next(error))
  expect(answer.status).toBe(status)
  expect(json(answer)).toEqual({ error: sentence })
  expect(printed).not.toHaveBeenCalled()
})

test.each(['production', 'development', 'test'])('NODE_ENV=%s makes no difference', async (environment) => {
  jest.replaceProperty(process, 'env', { ...process.env, NODE_ENV: environment })
  const answer = await answerTo((_request, _response, next) => next(new Error('lovelace')))
  expect(json(answer)).toEqual(UNFORESEEN)
})

test('a half-sent response is cut off', async () => {
  const answer = answerTo((_request, response, next) => {
    response.writeHead(200, { 'Content-Length': 100 })
    response.write('{', () => next(new Error('lovelace')))
  })
  await expect(answer).rejects.toThrow('aborted')
})

test('an error after the client has disconnected gets no response and no log line', async () => {
  const log = jest.spyOn(console, 'error').mockImplementation(() => {})
  const client = new AbortController()
  const events = new EventEmitter()
  const failed = once(events, 'failed')
  const server = await serveHandlers((_request, response, next) => {
    response.on('close', () => {
      next(new Error('too late'))
      events.emit('failed')
    })
    client.abort()
  })
  await expect(fetch(server.url, { signal: client.signal })).rejects.toThrow()
  await failed
  expect(log).not.toHaveBeenCalled()
  log.mockRestore()
  await server.close()
})
