import { MemoryData } from '../../lib/data/data-source'
import type { AppOptions } from '../../server'
import { serveApp } from '../support/app'
import { sampleData } from '../support/data'
import { type Listener, listenTo } from '../support/events'
import { ask, askJson, authorized, logIn, type TestServer } from '../support/http'

const DATA = {
  ...sampleData(),
  tasks: [
    { id: 1, text: 'Buy tea', done: false, listId: 1 },
    { id: 2, text: 'Sleep', done: true, listId: 1 },
  ],
  lists: [{ id: 1, name: 'Home' }],
  labels: ['red', 'blue'],
  profile: { name: 'Ada' },
}

let data: MemoryData
let server: TestServer
let token: Record<string, string>
const listeners: Listener[] = []

async function start(options: Partial<AppOptions> = {}): Promise<void> {
  data = new MemoryData(DATA)
  server = await serveApp({ data, ...options })
  token = authorized(await logIn(server.url))
}

async function hear(path: string, headers: Record<string, string> = token): Promise<Listener> {
  const listener = await listenTo(server.url, path, headers)
  listeners.push(listener)
  return listener
}

const change = (method: string, path: string, body: unknown = {}) =>
  askJson(server.url, { method, path, headers: token, body })

afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close()
  await server.close()
})

test('a first look', async () => {
  await start()
  const listener = await hear('/tasks?done=false')
  expect(listener.status).toBe(200)
  expect(listener.headers).toMatchObject({ 'content-type': 'text/event-stream' })
  await change('POST', '/tasks', { text: 'new', done: false })
  await change('PATCH', '/tasks/2', { done: false })
  await change('PATCH', '/tasks/1', { done: true })
  await change('PATCH', '/tasks/2', { text: 'x' })
  expect(await listener.heard(5)).toEqual(['loaded', 'created 3', 'created 2', 'deleted 1', 'updated 2'])
  console.log(listener.text(), listener.headers)
})
