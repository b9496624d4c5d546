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
    delay(fixed, () => false),
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

test.each([
  { path: '/', fixed: undefined, expected: 0 },
  { path: '/?_delay=0', fixed: undefined, expected: 0 },
  { path: '/?_delay=25', fixed: undefined, expected: 25 },
  { path: '/?_delay=-5', fixed: undefined, expected: 0 },
  { path: '/?_delay=soon', fixed: undefined, expected: 0 },
  { path: '/?_delay=', fixed: undefined, expected: 0 },
  { path: '/?_delay=NaN', fixed: undefined, expected: 0 },
  { path: '/?_delay[]=5', fixed: undefined, expected: 5 },
  { path: '/?_delay=10000', fixed: undefined, expected: LONGEST },
  { path: '/?_delay=10001', fixed: undefined, expected: LONGEST },
  { path: '/?_delay=1000000000', fixed: undefined, expected: LONGEST },
  { path: '/?_delay=Infinity', fixed: undefined, expected: LONGEST },
  { path: '/', fixed: 0, expected: 0 },
  { path: '/', fixed: 40, expected: 40 },
  { path: '/?_delay=0', fixed: 40, expected: 40 },
  { path: '/?_delay=2', fixed: 40, expected: 42 },
])('GET $path with a fixed delay of $fixed waits $expected ms', async ({ path, fixed, expected }) => {
  expect(await delayOf(path, fixed)).toBe(expected)
})

test.each(['/?_delay[toString]=x', '/?_delay[a]=5', '/?_delay[][a]=5'])('GET %s -> 400', async (path) => {
  const server = await serveHandlers(
    delay(0, () => false),
    (_request, response) => {
      response.status(204).end()
    },
  )
  const answer = await ask(server.url, { path })
  await server.close()
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error: expect.stringContaining('"_delay"') })
})
