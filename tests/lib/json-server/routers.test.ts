import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import singular from 'json-server/lib/server/router/singular'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { ask, serve } from '../../support/http'

jest.mock('json-server/lib/server/router/singular', () =>
  jest.fn(jest.requireActual('json-server/lib/server/router/singular')),
)

test('a router is made once, and again after those of 1000 other names, because of the limit', async () => {
  const paths = Array.from({ length: 1001 }, (_, index) => `/settings${index}`)
  const data = new MemoryData(Object.fromEntries(paths.map((path) => [path.slice(1), {}])), {
    isShared: false,
  })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  const [first = '', second = ''] = paths
  for (const path of [first, ...paths]) expect((await ask(server.url, { path })).status).toBe(200)
  expect(singular).toHaveBeenCalledTimes(1001)
  for (const path of [first, second]) await ask(server.url, { path })
  expect(singular).toHaveBeenCalledTimes(1003)
  await server.close()
})

test('a record that is removed does not stay in memory', async () => {
  const posts = [{ id: 1 }, { id: 2 }]
  const removed = new WeakRef(Object(posts[0]))
  const server = await serve(
    createApp({ data: new MemoryData({ posts }, { isShared: false }), allow: 'all', log: false }),
  )
  expect((await ask(server.url, { method: 'DELETE', path: '/posts/1' })).status).toBe(200)
  // The connection may hold its last request until the next one, which no router is called for.
  expect((await ask(server.url, { path: '/nothing' })).status).toBe(404)
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(removed.deref()).toBeUndefined()
  await server.close()
})
