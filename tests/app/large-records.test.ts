import type { ServerResponse } from 'node:http'
import { MemoryData } from '../../lib/data/data-source'
import { createApp } from '../../server'
import { ADA, memoryData } from '../support/data'
import { ask, authorized, json, logIn, serve } from '../support/http'

const LONG = 'a'.repeat(200_000)

function data() {
  return {
    blogs: [
      { id: 1, text: LONG },
      { id: 2, text: 'short' },
    ],
    users: [{ id: 1, ...ADA, text: LONG }],
    profile: { text: LONG },
  }
}

/** What the application has handed to its responses, in order. */
const handed: unknown[] = []

function kept(end: ServerResponse['end']): ServerResponse['end'] {
  return new Proxy(end, {
    apply(target, self, parameters) {
      handed.push(parameters[0])
      return Reflect.apply(target, self, parameters)
    },
  })
}

describe.each([
  ['data that only the server changes', false],
  ['data that other code may change', true],
])('%s', (_title, isShared) => {
  test.each([
    '/blogs',
    '/blogs/1',
    '/blogs/',
    '/users',
    '/users/1',
    '/profile',
    '/db',
    '/auth/me',
    '/users/1?callback=f',
  ])('all responses to %s that are being sent hold one copy of the body', async (path) => {
    const source = memoryData(data(), { isShared })
    const app = createApp({ data: source, live: true, log: false })
    const server = await serve((request, response) => {
      response.end = kept(response.end)
      app(request, response)
    })
    const headers = authorized(await logIn(server.url))
    handed.length = 0
    const answers = [await ask(server.url, { path, headers }), await ask(server.url, { path, headers })]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const { text } of answers) expect(text).toContain(LONG)
    expect(handed).toEqual([expect.any(Buffer), expect.any(Buffer)])
    expect(handed[0] === handed[1]).toBe(true)
    await server.close()
  })
})

test('a record that has changed is sent as it is now, also where other code has changed it', async () => {
  const records = data()
  const server = await serve(createApp({ data: records, log: false }))
  const first = await ask(server.url, { path: '/blogs/1' })
  for (const record of records.blogs) record.text = record.text.replace('aaa', 'bbb')
  const second = await ask(server.url, { path: '/blogs/1' })
  expect(json(first)).toEqual({ blog: { id: 1, text: LONG } })
  expect(json(second)).toEqual({ blog: records.blogs[0] })
  await server.close()
})

test('the text of a record that only the server changes is made once for all who wait for it', async () => {
  const source = new MemoryData(data())
  const made = jest.fn()
  const [record] = Array.isArray(source.state.blogs) ? source.state.blogs : []
  Object.defineProperty(record, 'toJSON', {
    value() {
      made()
      return { id: 1, text: LONG }
    },
  })
  const app = createApp({ data: source, log: false })
  const held: unknown[] = []
  const server = await serve((request, response) => {
    response.end = kept(response.end)
    app(request, response)
  })
  for (let count = 0; count < 5; count += 1) held.push((await ask(server.url, { path: '/blogs/1' })).text)
  expect(made).toHaveBeenCalledTimes(1)
  expect(new Set(held).size).toBe(1)
  await server.close()
})

test('a large record is sent as it is after a change', async () => {
  const source = new MemoryData(data())
  const server = await serve(createApp({ data: source, log: false }))
  const headers = authorized(await logIn(server.url))
  const text = 'b'.repeat(200_000)
  await ask(server.url, { path: '/blogs/1' })
  await ask(server.url, { method: 'PATCH', path: '/blogs/1', headers, body: JSON.stringify({ text }) })
  expect(json(await ask(server.url, { path: '/blogs/1' }))).toEqual({ blog: { id: 1, text } })
  await server.close()
})
