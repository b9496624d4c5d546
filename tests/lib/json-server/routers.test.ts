import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import singular from 'json-server/lib/server/router/singular'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { ask, question, serve } from '../../support/http'

jest.mock('json-server/lib/server/router/singular', () =>
  jest.fn(jest.requireActual('json-server/lib/server/router/singular')),
)

test('a router is made once for a resource, and again when a collection becomes singular', async () => {
  const data = new MemoryData({ settings: {}, first: [] })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  const read = (path: string) => ask(server.url, { path })
  for (let round = 0; round < 2; round += 1) expect((await read('/settings')).status).toBe(200)
  expect(singular).toHaveBeenCalledTimes(1)
  expect((await read('/first/1')).status).toBe(404)
  data.replace({ settings: {}, first: { id: 1 } })
  for (const path of ['/first', '/settings']) expect((await read(path)).status).toBe(200)
  expect(singular).toHaveBeenCalledTimes(2)
  await server.close()
})

test('a record that is removed does not stay in memory', async () => {
  const data = new MemoryData({ posts: [] })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  expect((await ask(server.url, question('POST /posts {}'))).status).toBe(201)
  expect((await ask(server.url, { path: '/posts' })).text).toContain('"id": 1')
  const removed = new WeakRef(Object(Object(data.state.posts)[0]))
  expect((await ask(server.url, { method: 'DELETE', path: '/posts/1' })).status).toBe(200)
  // The connection may hold its last request until the next one, which no router is called for.
  expect((await ask(server.url, { path: '/nothing' })).status).toBe(404)
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(removed.deref()).toBeUndefined()
  await server.close()
})
