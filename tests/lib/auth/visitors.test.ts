import { serveApp } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, authorized, logIn } from '../../support/http'

const HOUR = 3_600_000

test('the token of a request is looked at once, by one reading of the clock, and again in the next request', async () => {
  let now = 2 * HOUR
  let readings = 0
  const clock = () => {
    readings += 1
    return now
  }
  const server = await serveApp({ data: sampleData(), sandboxes: true, faults: [], docs: true, clock })
  const headers = authorized(await logIn(server.url))
  const look = async () => {
    readings = 0
    const { status } = await ask(server.url, { path: '/users', headers: { ...headers, 'X-Sandbox': 'lab' } })
    return { status, readings }
  }
  expect(await look()).toEqual({ status: 200, readings: 1 })
  now = 3 * HOUR - 1
  expect(await look()).toEqual({ status: 200, readings: 1 })
  now = 3 * HOUR
  expect(await look()).toEqual({ status: 401, readings: 1 })
  await server.close()
})
