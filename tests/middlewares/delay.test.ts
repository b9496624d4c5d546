import { type ClientRequest, request as sendRequest } from 'node:http'
import { delay } from '../../middlewares/delay'
import { ask, json, serveHandlers } from '../support/http'

const LONGEST = 10_000

afterEach(() => jest.useRealTimers())

/** The milliseconds that a request waits, found by turning the clock and not by waiting. */
async function delayOf(path: string, fixed = 0): Promise<number> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'Date'] })
  let waited = 0
  const server = await serveHandlers(
    (_request, _response, next) => {
      setImmediate(() => {
        for (waited = 0; jest.getTimerCount() > 0; waited += 1) jest.advanceTimersByTime(1)
      })
      next()
    },
    delay(fixed),
    (request, response) => {
      response.json(request.query)
    },
  )
  const answer = await ask(server.url, { path })
  jest.useRealTimers()
  await server.close()
  expect(answer.text).toBe('{}')
  return waited
}

test.each<{ why: string; path: string; fixed?: number; expected: number }>([
  { why: 'nothing asked for', path: '/', expected: 0 },
  { why: 'zero', path: '/?_delay=0', expected: 0 },
  { why: 'some milliseconds', path: '/?_delay=25', expected: 25 },
  { why: 'a negative number', path: '/?_delay=-5', expected: 0 },
  { why: 'a word', path: '/?_delay=soon', expected: 0 },
  { why: 'an empty value', path: '/?_delay=', expected: 0 },
  { why: 'NaN', path: '/?_delay=NaN', expected: 0 },
  { why: 'a list of one', path: '/?_delay[]=5', expected: 5 },
  { why: 'as long as possible', path: '/?_delay=10000', expected: LONGEST },
  { why: 'longer', path: '/?_delay=10001', expected: LONGEST },
  { why: 'much longer', path: '/?_delay=1000000000', expected: LONGEST },
  { why: 'Infinity', path: '/?_delay=Infinity', expected: LONGEST },
  { why: 'a fixed delay of zero', path: '/', fixed: 0, expected: 0 },
  { why: 'a fixed delay of 40', path: '/', fixed: 40, expected: 40 },
  { why: 'a fixed delay of 40, and zero', path: '/?_delay=0', fixed: 40, expected: 40 },
  { why: 'a fixed delay of 40, and more', path: '/?_delay=2', fixed: 40, expected: 42 },
])('$why: GET $path waits $expected ms', async ({ path, fixed, expected }) => {
  expect(await delayOf(path, fixed)).toBe(expected)
})

test.each(['/?_delay[toString]=x', '/?_delay[a]=5', '/?_delay[][a]=5'])('GET %s -> 400', async (path) => {
  const server = await serveHandlers(delay(0), (_request, response) => {
    response.status(204).end()
  })
  const answer = await ask(server.url, { path })
  await server.close()
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error: expect.stringContaining('"_delay"') })
})

test('a request whose client has gone while it waits is not handled', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'Date'] })
  let handled = 0
  let client: ClientRequest | undefined
  let gone: () => void = () => {}
  const left = new Promise<void>((resolve) => {
    gone = resolve
  })
  const server = await serveHandlers(
    (_request, response, next) => {
      next()
      // It comes after the delay's own listener.
      response.once('close', gone)
      client?.destroy()
    },
    delay(0),
    () => {
      handled += 1
    },
  )
  client = sendRequest(`${server.url}/?_delay=300`, { method: 'POST' }).on('error', () => {})
  client.end()
  await left
  jest.advanceTimersByTime(LONGEST)
  expect(handled).toBe(0)
  jest.useRealTimers()
  await server.close()
})
