import fs from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { DataFile } from '../../lib/data/data-file'
import { MemoryData } from '../../lib/data/data-source'
import { isRecord } from '../../lib/is-record'
import { testApps } from '../support/app'
import { sampleData, tempFolders } from '../support/data'
import { json } from '../support/http'

const { start } = testApps()
const sources: DataFile[] = []

afterEach(async () => {
  jest.restoreAllMocks()
  for (const source of sources.splice(0)) await source.close()
})

// After the sources are closed: until then they may write.
const newFolder = tempFolders()

/** An application over a file, and the titles of a list that has been asked for before. */
async function startSorted(middlewares: RequestHandler[] = []) {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  const data = DataFile.open(file, { warn: jest.fn() })
  sources.push(data)
  const app = await start({ data, middlewares })
  const titles = async (): Promise<unknown[]> => {
    const list = json(await app.send('GET', '/posts?_sort=title&_order=desc&_page=1'))
    return Array.isArray(list) ? list.map((post) => isRecord(post) && post.title) : []
  }
  expect(await titles()).toEqual(['World', 'Hello'])
  return { ...app, data, file, titles }
}

async function edit(file: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace('Hello', 'Zebra'))
}

describe('a sorted list is never out of date', () => {
  it('after an edit of the file', async () => {
    const { data, file, titles } = await startSorted()
    await edit(file)
    data.refresh()
    expect(await titles()).toEqual(['Zebra', 'World'])
  })

  it('after a change that could not be saved, and while it is being saved', async () => {
    const { send, titles } = await startSorted()
    jest.spyOn(console, 'error').mockImplementation()
    const rename = jest.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('EIO')
    })
    const [{ status }, meanwhile] = await Promise.all([
      send('PATCH', '/posts/1', { title: 'Zebra' }),
      titles(),
    ])
    expect(status).toBe(500)
    expect([
      ['World', 'Hello'],
      ['Zebra', 'World'],
    ]).toContainEqual(meanwhile)
    expect(await titles()).toEqual(['World', 'Hello'])
    rename.mockRestore()
    expect((await send('PATCH', '/posts/1', { title: 'Zebra' })).status).toBe(200)
    expect(await titles()).toEqual(['Zebra', 'World'])
  })

  it('after other data replaced the old', async () => {
    const { data, titles } = await startSorted()
    data.replace({ ...sampleData(), posts: [{ id: 1, title: 'Other' }] })
    expect(await titles()).toEqual(['Other'])
  })

  it("after a user's middleware has changed a record in place", async () => {
    const changeTitle: RequestHandler = (request, _response, next) => {
      if (request.query.title === 'Zebra')
        Reflect.get(request.app, 'db').get('posts').find({ id: 1 }).assign({ title: 'Zebra' }).value()
      next()
    }
    const { send, titles } = await startSorted([changeTitle])
    await send('GET', '/users?title=Zebra')
    expect(await titles()).toEqual(['Zebra', 'World'])
  })

  it('after the records that refer to a removed one were removed with it', async () => {
    const { send } = await startSorted()
    const ids = async () => json(await send('GET', '/comments?_sort=body&_start=0&_end=9'))
    expect(await ids()).toMatchObject([{ id: 2 }, { id: 3 }, { id: 1 }])
    await send('DELETE', '/posts/1')
    expect(await ids()).toMatchObject([{ id: 3 }])
  })
})

test('each order that is asked for is an order of its own', async () => {
  const app = await start({ data: new MemoryData(sampleData()) })
  const ids = async (query: string) => {
    const list = json(await app.send('GET', `/comments?${query}`))
    return Array.isArray(list) ? list.map((comment) => isRecord(comment) && comment.id) : []
  }
  for (const [query, expected] of [
    ['_sort=body', [2, 3, 1]],
    ['_sort=body&_order=desc', [1, 3, 2]],
    ['_sort=postId,body', [2, 1, 3]],
    ['_sort=postId,body&_order=asc,desc', [1, 2, 3]],
    ['_sort=postId,body&_order=desc,asc', [3, 2, 1]],
  ] as const)
    expect([query, await ids(query)]).toEqual([query, expected])
})

test('a list is sorted once, until its own collection changes', async () => {
  let reads = 0
  const record = (id: number) => ({
    id,
    get title() {
      reads += 1
      return `Title ${id}`
    },
  })
  const posts = [record(1), record(2), record(3)]
  const app = await start({ data: new MemoryData({ ...sampleData(), posts }, { isOwn: true }) })
  const readsOfOne = async () => {
    reads = 0
    expect((await app.send('GET', '/posts?_sort=title')).status).toBe(200)
    return reads
  }
  const [first, second] = [await readsOfOne(), await readsOfOne()]
  expect(second).toBeLessThan(first)
  expect((await app.send('DELETE', '/comments/3')).status).toBe(200)
  expect(await readsOfOne()).toBe(second)
  expect((await app.send('POST', '/posts', { title: 'New' })).status).toBe(201)
  expect(await readsOfOne()).toBeGreaterThan(second)
})
