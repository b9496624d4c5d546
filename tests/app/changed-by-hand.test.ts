import { type DataSource, MemoryData } from '../../lib/data/data-source'
import { testApps } from '../support/app'
import { frozen, sampleData, tempFolders } from '../support/data'
import { json } from '../support/http'
import { KEPT, openKept } from '../support/kept-data'

const { start } = testApps()

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

// After the sources are closed: until then they look at their files.
const newFolder = tempFolders()

type Opened = { data: DataSource; saved?: () => unknown }

/** What code may change by hand once it has asked for `app.db`, and what is kept of it. */
type Source = [string, () => Promise<Opened>]

const sources: Source[] = [
  ['memory', async () => ({ data: new MemoryData(sampleData()) })],
  ...KEPT.map(
    ([kind, keep]): Source => [
      kind,
      async () => {
        const { source, saved } = await keep(await newFolder(), sampleData())
        return { data: openKept(source), saved }
      },
    ],
  ),
]

describe.each(sources)('data in %s that is shared with code that changes it by hand', (_where, open) => {
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

    data.share()
    const post = Object(data.state.posts)[0]
    for (const title of ['y', 'z']) {
      post.title = title
      Object(data.state.blogs)[0].title = title
      await data.commit(data.state)
      expect(await read('/posts/1')).toMatchObject({ title })
      expect(await read(`/posts?title=${title}`)).toHaveLength(1)
      expect(Object(await read('/posts?_sort=title&_order=desc'))[0].title).toBe(title)
      expect(await read('/blogs/1')).toMatchObject({ blog: { title } })
      expect(Object(await read('/blogs')).blogs[0].title).toBe(title)
      expect((await readAll()).at(-1)).toEqual(data.state)
      if (saved !== undefined) expect(saved()).toEqual(data.state)
    }

    Object(data.state.posts).push({ id: 'pushed' })
    await data.commit(data.state)
    expect(await read('/posts/pushed')).toEqual({ id: 'pushed' })
    if (saved !== undefined) expect(saved()).toEqual(data.state)
  })

  it('is not shared by being read, nor by requests that change it', async () => {
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

describe('the object that is given to `createApp`', () => {
  it('is not changed by requests, and may be frozen', async () => {
    const app = await start({ data: new MemoryData(frozen(sampleData())) })
    for (const [method, target, body, status] of [
      ['POST', '/posts', { title: 'new' }, 201],
      ['PATCH', '/posts/1', { title: 'changed' }, 200],
      ['PUT', '/profile', { name: 'other' }, 200],
      ['DELETE', '/posts/2', undefined, 200],
    ] as const)
      expect((await app.send(method, target, body)).status).toBe(status)
    expect(json(await app.send('GET', '/posts'))).toEqual([
      expect.objectContaining({ id: 1, title: 'changed' }),
      { id: 3, title: 'new' },
    ])
  })

  it('can be changed by hand, which nobody sees until it is given again', async () => {
    const given = sampleData()
    const data = new MemoryData(given)
    const app = await start({ data })
    Object(given.posts).push({ id: 'pushed' })
    expect((await app.send('GET', '/posts/pushed')).status).toBe(404)
    data.replace(given)
    expect((await app.send('GET', '/posts/pushed')).status).toBe(200)
  })
})
