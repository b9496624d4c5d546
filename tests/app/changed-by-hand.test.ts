import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DataFile } from '../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../lib/data/data-source'
import { StoredData } from '../../lib/data/stored-data'
import { TextDatabase, TextStore } from '../lib/data/text-store'
import { testApps } from '../support/app'
import { sampleData, tempFolders } from '../support/data'
import { json } from '../support/http'

const newFolder = tempFolders()
const { start } = testApps()

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Opened = { data: DataSource; saved?: () => unknown }

/** What a caller may give to `createApp` and change by himself, and what is kept of it. */
const sources: [string, () => Promise<Opened>][] = [
  ['memory', async () => ({ data: new MemoryData(sampleData()) })],
  [
    'a data file',
    async () => {
      const file = path.join(await newFolder(), 'db.json')
      await writeFile(file, JSON.stringify(sampleData()))
      return { data: DataFile.open(file), saved: () => JSON.parse(readFileSync(file, 'utf8')) }
    },
  ],
  [
    'a store',
    async () => {
      const database = new TextDatabase(JSON.stringify(sampleData()))
      return { data: await StoredData.open(new TextStore(database)), saved: () => database.data }
    },
  ],
]

describe.each(sources)('data in %s that its owner changes', (_where, open) => {
  it('is as it was changed for every read, and where it is kept, when `commit` resolves', async () => {
    const { data, saved } = await open()
    closing.push(() => data.close())
    const app = await start({ data, live: true })
    const read = async (target: string) => json(await app.send('GET', target))
    const readAll = async () => {
      const targets = ['/posts', '/posts/1', '/posts?_sort=title', '/posts?title=y', '/posts?_embed=comments']
      return Promise.all([...targets, '/blogs', '/blogs/1', '/db'].map(read))
    }
    // More often than records are looked for one by one.
    for (let round = 0; round < 12; round += 1) await read('/posts/1')
    await app.send('POST', '/tags', { label: 'written' })
    await readAll()

    const post = Object(data.state.posts)[0]
    for (const title of ['y', 'z']) {
      post.title = title
      Object(data.state.blogs)[0].title = title
      await data.commit()
      expect(await read('/posts/1')).toMatchObject({ title })
      expect(await read(`/posts?title=${title}`)).toHaveLength(1)
      expect(Object(await read('/posts?_sort=title&_order=desc'))[0].title).toBe(title)
      expect(await read('/blogs/1')).toMatchObject({ blog: { title } })
      expect(Object(await read('/blogs')).blogs[0].title).toBe(title)
      expect((await readAll()).at(-1)).toEqual(data.state)
      if (saved !== undefined) expect(saved()).toEqual(data.state)
    }

    Object(data.state.posts).push({ id: 'pushed' })
    await data.commit()
    expect(await read('/posts/pushed')).toEqual({ id: 'pushed' })
    if (saved !== undefined) expect(saved()).toEqual(data.state)
  })

  it('is cached as before when it was only read, and changed by requests', async () => {
    const { data } = await open()
    closing.push(() => data.close())
    const app = await start({ data })
    expect(data.state).toEqual(sampleData())
    await app.send('POST', '/posts', { title: 'new' })
    expect(data.isShared).toBe(false)
  })
})

test('two applications with ids of different names find each record of one source', async () => {
  const data = new MemoryData({
    ...sampleData(),
    items: [
      { id: 1, _id: 'a' },
      { id: 2, _id: 'b' },
    ],
  })
  const [one, other] = [await start({ data }), await start({ data, idProperty: '_id' })]
  // More often than records are looked for one by one.
  for (let round = 0; round < 12; round += 1) {
    expect((await one.send('GET', '/items/2')).status).toBe(200)
    expect((await other.send('GET', '/items/b')).status).toBe(200)
  }
  expect((await one.send('POST', '/items', { _id: 'c' })).status).toBe(201)
  expect(json(await other.send('GET', '/items/c'))).toEqual({ id: 3, _id: 'c' })
  expect((await other.send('PATCH', '/items/c', { id: 9 })).status).toBe(200)
  expect(json(await one.send('GET', '/items/9'))).toEqual({ id: 9, _id: 'c' })
  expect((await one.send('GET', '/items/3')).status).toBe(404)
})
