import fs, { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DataFile } from '../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { createApp } from '../../server'
import { ADA, sampleData, tempFolders } from '../support/data'
import { ask, authorized, json, logIn, serve } from '../support/http'

const closing: (() => Promise<void>)[] = []

beforeEach(() => jest.spyOn(console, 'error').mockImplementation())

afterEach(async () => {
  jest.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

/** An application without a contract: what its data holds here has no schema. */
async function start({ data }: { data: Data | DataSource }) {
  const { url, close } = await serve(createApp({ data, log: false }))
  closing.unshift(close)
  const headers = authorized(await logIn(url))
  const send = (method: string, target: string, body?: object | string) =>
    ask(url, {
      method,
      path: target,
      headers,
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  return { send }
}

// After the sources are closed: until then they may write.
const newFolder = tempFolders()

async function openFile(data: object = sampleData()): Promise<{ data: DataFile; file: string }> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify(data))
  const source = DataFile.open(file, { warn: jest.fn() })
  closing.push(() => source.close())
  return { data: source, file }
}

const users = [{ id: 1, ...ADA }]
const changes = [
  { method: 'POST', target: '/posts', body: { title: 'new' } },
  { method: 'PUT', target: '/posts/1', body: { title: 'new' } },
  { method: 'PATCH', target: '/posts/1', body: { title: 'new' } },
  { method: 'DELETE', target: '/posts/1', body: undefined },
  { method: 'POST', target: '/profile', body: { name: 'new' } },
  { method: 'PUT', target: '/profile', body: { name: 'new' } },
  { method: 'PATCH', target: '/profile', body: { name: 'new' } },
]

describe('a change with a 5xx as response has changed nothing', () => {
  it.each(changes)('$method $target, when the file cannot be written', async ({ method, target, body }) => {
    const { data, file } = await openFile()
    const [app, other] = [await start({ data }), await start({ data })]
    const rename = jest.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('EIO')
    })
    const { status, headers } = await app.send(method, target, body)
    rename.mockRestore()
    expect([status, headers.location]).toEqual([500, undefined])
    for (const { send } of [app, other]) expect(json(await send('GET', '/db'))).toEqual(sampleData())
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(sampleData())
    for (const { send } of [other, app]) expect((await send(method, target, body)).status).toBeLessThan(500)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(data.state)
  })

  it('DELETE, when it fails half way', async () => {
    let isReadable = true
    const unreadable = {
      id: 1,
      get postId() {
        if (isReadable) return null
        throw new Error('no value')
      },
    }
    const data = {
      users,
      posts: [{ id: 1 }, { id: 2 }],
      comments: [{ id: 1, postId: 1 }],
      notes: [unreadable],
    }
    const app = await start({ data: new MemoryData(data, { isOwn: true }) })
    isReadable = false
    expect((await app.send('DELETE', '/posts/1')).status).toBe(500)
    expect(json(await app.send('GET', '/posts'))).toEqual([{ id: 1 }, { id: 2 }])
    expect(json(await app.send('GET', '/comments'))).toEqual([{ id: 1, postId: 1 }])
  })

  it('PATCH, when its response could not be sent', async () => {
    const post = { id: 1, title: 'old', views: 1n }
    const data = { users, posts: [post] }
    const app = await start({ data })
    expect((await app.send('PATCH', '/posts/1', { title: 'new' })).status).toBe(500)
    expect(data.posts).toEqual([{ id: 1, title: 'old', views: 1n }])
    expect((await app.send('PATCH', '/posts/1', { views: 2 })).status).toBe(200)
  })
})

it('DELETE never treats an object as a foreign key, whatever it holds', async () => {
  const posts = [{ id: 1 }]
  const comments = [
    { id: 1, postId: { toString: 1 } },
    { id: 2, postId: [1] },
    { id: 3, postId: 1 },
  ]
  const { data } = await openFile({ users, posts, comments })
  const app = await start({ data })
  expect((await app.send('DELETE', '/posts/1')).status).toBe(200)
  expect(data.state).toEqual({ users, posts: [], comments: comments.slice(0, 2) })
})

it.each<[method: string, path: string, status: number]>([
  ['PUT', '/settings', 200],
  ['PATCH', '/settings', 200],
  ['POST', '/fresh', 201],
  ['DELETE', '/fresh/1', 200],
  ['POST', '/tags', 404],
])('%s %s right after an edit finds the edited data', async (method, target, status) => {
  const { data, file } = await openFile()
  const app = await start({ data })
  const { tags: _gone, ...others } = sampleData()
  // In the same tick as the request, so that no watcher can have seen it.
  writeFileSync(file, JSON.stringify({ ...others, settings: { theme: 'dark' }, fresh: [{ id: 1 }] }))
  expect((await app.send(method, target, { theme: 'light' })).status).toBe(status)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(data.state)
})

it.each([
  ['PATCH', '/posts/1'],
  ['PUT', '/posts/2'],
  ['PATCH', '/profile'],
])('the response to %s %s has values as JSON writes them', async (method, target) => {
  const price = { amount: 5, toJSON: () => '5 EUR' }
  const data = { users, posts: [{ id: 1, price }, { id: 2 }], profile: { price } }
  const app = await start({ data })
  const changed = await app.send(method, target, { name: 'x' })
  expect(changed.status).toBe(200)
  expect((await app.send('GET', target)).text).toBe(changed.text)
  expect(changed.text.includes('5 EUR')).toBe(method === 'PATCH')
})

it('PUT with no object right after an edit is refused', async () => {
  const { data, file } = await openFile()
  const app = await start({ data })
  const edited = { ...sampleData(), settings: { theme: 'dark' } }
  for (const body of ['null', '5', '[]', '"text"']) {
    writeFileSync(file, JSON.stringify({ ...edited, last: { body } }))
    expect((await app.send('PUT', '/settings', body)).status).toBe(400)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...edited, last: { body } })
  }
})
