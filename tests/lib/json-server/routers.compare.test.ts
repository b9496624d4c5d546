import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { ask, question, serve } from '../../support/http'

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
