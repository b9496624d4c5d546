import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MemoryData } from '../../../lib/data/data-source'
import { createApp } from '../../../server'
import { ask, question, serve } from '../../support/http'

/** Whether a record stays in memory after a request that no router is called for. */
async function isKept(url: string, record: WeakRef<object>): Promise<boolean> {
  // The connection may hold its last request until the next one.
  expect((await ask(url, { path: '/nothing' })).status).toBe(404)
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return record.deref() !== undefined
}

test('a record that is removed does not stay in memory', async () => {
  const data = new MemoryData({ posts: [] })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  expect((await ask(server.url, question('POST /posts {}'))).status).toBe(201)
  expect((await ask(server.url, { path: '/posts' })).text).toContain('"id": 1')
  const removed = new WeakRef(Object(Object(data.state.posts)[0]))
  expect((await ask(server.url, { method: 'DELETE', path: '/posts/1' })).status).toBe(200)
  expect(await isKept(server.url, removed)).toBe(false)
  await server.close()
})

test('a record that is replaced does not stay in memory after a filter that takes too long', async () => {
  const data = new MemoryData({ posts: [{ id: 1, title: `${'a'.repeat(40)}!` }] })
  const server = await serve(createApp({ data, allow: 'all', log: false }))
  expect((await ask(server.url, { path: '/posts?title_like=^(a%2B)%2B$' })).status).toBe(400)
  const replaced = new WeakRef(Object(Object(data.state.posts)[0]))
  data.replace({ posts: [] })
  expect(await isKept(server.url, replaced)).toBe(false)
  await server.close()
})
