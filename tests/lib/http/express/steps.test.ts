import express, { type RequestHandler, Router } from 'express'
import { inOrder } from '../../../../lib/http/express/steps'
import { ask, serve, type TestServer } from '../../../support/http'

const servers: TestServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** The text written by the steps and the handler after them, or the error that they passed on. */
async function run(...steps: RequestHandler[]): Promise<string> {
  const app = express().use(inOrder(steps))
  app.use((_request, response) => {
    response.end('behind')
  })
  app.use(((error, _request, response, _next) => {
    response.end(`error ${error}`)
  }) satisfies express.ErrorRequestHandler)
  const server = await serve(app)
  servers.push(server)
  return (await ask(server.url, { path: '/path?name=value' })).text
}

const write =
  (text: string): RequestHandler =>
  (_request, response, next) => {
    response.write(text)
    next()
  }
const later: RequestHandler = (_request, _response, next) => {
  setImmediate(next)
}
const end: RequestHandler = (_request, response) => {
  response.end('end')
}
const fail: RequestHandler = (_request, _response, next) => {
  next('passed on')
}
const failLater: RequestHandler = (_request, _response, next) => {
  setImmediate(() => next('passed on later'))
}
const crash: RequestHandler = () => {
  throw 'thrown'
}
const rewrite: RequestHandler = (request, _response, next) => {
  request.url = '/other'
  next()
}
const router = Router().get('/other', write('other ')).get('/path', write('path '))

it.each<[string, RequestHandler[], string]>([
  ['no step', [], 'behind'],
  ['steps that go on', [write('1 '), later, write('2 ')], '1 2 behind'],
  ['a step that responds', [write('1 '), end, crash], '1 end'],
  ['an error', [fail, crash], 'error passed on'],
  ['an error that comes later', [write('1 '), failLater, crash], '1 error passed on later'],
  ['an error that is thrown', [write('1 '), crash, end], '1 error thrown'],
  ['a thrown error behind a step that took its time', [later, crash, end], 'error thrown'],
  ['a step that changes the address', [router, rewrite, router], 'path other behind'],
])('%s', async (_case, steps, text) => {
  expect(await run(...steps)).toBe(text)
})

it('serves requests that overlap', async () => {
  const handler = inOrder([write('1 '), later, write('2 '), later, end])
  const server = await serve(express().use(handler))
  servers.push(server)
  const texts = await Promise.all([1, 2, 3].map(async () => (await ask(server.url, { path: '/' })).text))
  expect(texts).toEqual(Array(3).fill('1 2 end'))
})
