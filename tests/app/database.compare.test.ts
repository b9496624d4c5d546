import fs from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import jsonServer from 'json-server'
import { DataFile } from '../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { isRecord } from '../../lib/is-record'
import type { AppOptions } from '../../server'
import { testApps } from '../support/app'
import { ADA, sampleData, tempFolders } from '../support/data'
import { ask, json, logIn, until } from '../support/http'

/** The part of lowdb 1 and lodash that is tried here. */
interface Chain {
  get(path: string): Chain
  set(path: string, value: unknown): Chain
  assign(values: object): Chain
  defaults(values: object): Chain
  unset(path: string): Chain
  update(path: string, change: (value: unknown[]) => unknown): Chain
  push(...items: unknown[]): Chain
  remove(query: object): Chain
  find(query: object): Chain
  insert(record: object): Chain
  updateById(id: unknown, changes: object): Chain
  removeById(id: unknown): Chain
  value(): unknown
  write(value?: unknown): unknown
}

interface LowDatabase extends Chain {
  _: { id: string }
  getState(): Data & { posts: Record<string, unknown>[] }
  setState(state: unknown): LowDatabase
  read(): unknown
}

type Use = (database: LowDatabase) => unknown

const { start } = testApps()
const sources: DataSource[] = []

afterEach(async () => {
  for (const source of sources.splice(0)) await source.close()
  jest.restoreAllMocks()
})

// After the sources are closed: until then they may write.
const newFolder = tempFolders()

function databaseOf(owner: object): LowDatabase {
  return Reflect.get(owner, 'db')
}

/** An application with a middleware that runs a function of the test on its database. */
async function startWith(data: DataSource, options: Partial<AppOptions> = {}) {
  sources.push(data)
  let use: Use = () => {}
  let result: unknown
  const middleware: RequestHandler = async (request, response, next) => {
    if (request.path !== '/use') return next()
    try {
      result = await use(databaseOf(request.app))
      response.sendStatus(204)
    } catch (error) {
      next(error)
    }
  }
  const app = await start({ ...options, data, middlewares: [middleware] })
  return {
    ...app,
    async use(given: Use): Promise<{ status: number; result: unknown }> {
      use = given
      result = undefined
      const { status } = await app.send('GET', '/use')
      return { status, result }
    },
  }
}

async function openFile(): Promise<{ data: DataFile; file: string; saved: () => Promise<unknown> }> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify(sampleData(), null, 2))
  const data = DataFile.open(file, { warn: jest.fn() })
  return { data, file, saved: async () => JSON.parse(await readFile(file, 'utf8')) }
}

const BOB = { email: 'bob@example.com', password: 'builder' }
const OTHER = { users: [{ id: 7, ...BOB }], posts: [{ id: 3, title: 'set' }], fresh: [{ id: 1 }] }
const other = () => structuredClone(OTHER)

const changes: [title: string, use: Use][] = [
  ['setState(...).write()', (db) => db.setState(other()).write()],
  ['setState(...) and write()', (db) => [db.setState(other()), db.write()][1]],
  ['setState with some of the old', (db) => db.setState({ ...db.getState(), ...other() }).write()],
  ['get(...).push(...).write()', (db) => db.get('posts').push({ id: 8 }, { id: 'x' }).write()],
  ['set(...).write() of a collection', (db) => db.set('fresh', [{ id: 1 }]).write()],
  ['set(...).write() of a field', (db) => db.set('posts[0].title', 'set').write()],
  ['assign(...).write()', (db) => db.assign({ fresh: [], posts: [{ id: 5 }] }).write()],
  ['assign(...).write() of a record', (db) => db.get('posts').find({ id: 1 }).assign({ title: 'a' }).write()],
  ['defaults(...).write()', (db) => db.defaults({ posts: [], fresh: [{ id: 2 }] }).write()],
  ['unset(...).write()', (db) => db.unset('comments').write()],
  ['update(...).write()', (db) => db.update('posts', (posts) => posts.slice(1)).write()],
  ['remove(...).write()', (db) => db.get('posts').remove({ id: 1 }).write()],
  ['insert(...).write()', (db) => db.get('posts').insert({ title: 'inserted' }).write()],
  ['updateById(...).write()', (db) => db.get('posts').updateById(1, { title: 'updated' }).write()],
  ['removeById(...).write()', (db) => db.get('posts').removeById(1).write()],
  ['value() and write()', (db) => [db.get('posts').push({ id: 8 }).value(), db.write()][1]],
  ['write(value)', (db) => [db.getState().posts.reverse(), db.write('given')][1]],
  [
    'a record that is changed in place',
    (db) => {
      for (const post of db.getState().posts) post.title = 'changed in place'
      return db.write()
    },
  ],
]

describe('a change by a middleware through the database', () => {
  it.each(changes)('%s has the same result as in json-server, and is saved', async (_title, use) => {
    const { data, saved } = await openFile()
    const app = await startWith(data)
    // Everything that could be cached has then been read and written once.
    expect((await app.send('PATCH', '/posts/1', { views: 101 })).status).toBe(200)
    expect((await app.send('GET', '/posts/2')).status).toBe(200)

    const plain = databaseOf(jsonServer.router(structuredClone(data.state)))
    const expected = await use(plain)
    expect(await app.use(use)).toEqual({ status: 204, result: expected })
    expect(data.state).toEqual(plain.getState())
    expect(await saved()).toEqual(plain.getState())
    expect(json(await app.send('GET', '/db'))).toEqual(plain.getState())
  })

  it.each(changes)('a change after %s is saved, too', async (_title, use) => {
    const { data, saved } = await openFile()
    const app = await startWith(data)
    await app.use(use)

    const created = await app.send('POST', '/posts', { title: 'afterwards' })
    expect(created.status).toBe(201)
    const record = json(created)
    const id = isRecord(record) ? record.id : undefined
    expect(await saved()).toEqual(data.state)
    expect(data.state.posts).toContainEqual(record)
    expect(json(await app.send('GET', `/posts/${id}`))).toEqual(record)
    expect((await app.send('PUT', `/posts/${id}`, { title: 'put' })).status).toBe(200)
    expect(await saved()).toHaveProperty('posts', expect.arrayContaining([{ id, title: 'put' }]))
    expect((await app.send('DELETE', `/posts/${id}`)).status).toBe(200)
    expect(await saved()).toEqual(data.state)
    expect(data.state.posts).not.toContainEqual(expect.objectContaining({ id }))
  })

  it('is served at once, with routes for new collections and none for old ones', async () => {
    const { data } = await openFile()
    const app = await startWith(data)
    await app.use((db) => db.setState(other()))
    expect(json(await app.send('GET', '/fresh/1'))).toEqual({ id: 1 })
    expect((await app.send('POST', '/fresh', {})).status).toBe(201)
    expect((await app.send('GET', '/comments')).status).toBe(404)
    expect((await app.send('POST', '/comments', {})).status).toBe(404)
    await app.use((db) => db.set('late', []).unset('fresh').value())
    expect((await app.send('POST', '/late', {})).status).toBe(201)
    expect((await app.send('POST', '/fresh', {})).status).toBe(404)
  })

  it('decides who can log in', async () => {
    const { data } = await openFile()
    const app = await startWith(data)
    await app.use((db) => db.setState(other()))
    await expect(logIn(app.url, BOB)).resolves.toEqual(expect.any(String))
    await expect(logIn(app.url, ADA)).rejects.toThrow('401')
  })

  it('shows in the public list when it is the whole state, and in the single read always', async () => {
    const { data } = await openFile()
    const app = await startWith(data)
    const blogs = async () => json(await ask(app.url, { path: '/blogs' }))
    await app.use((db) => db.get('blogs').push({ id: 50 }).write())
    expect(await blogs()).toEqual({ blogs: sampleData().blogs })
    expect(json(await ask(app.url, { path: '/blogs/50' }))).toEqual({ blog: { id: 50 } })
    await app.use((db) => db.setState({ ...db.getState(), blogs: [{ id: 60 }] }))
    expect(await blogs()).toEqual({ blogs: [{ id: 60 }] })
    expect((await ask(app.url, { path: '/blogs/50' })).status).toBe(404)
  })

  it('shows in a live public list, also without a write', async () => {
    const app = await startWith(new MemoryData(sampleData()), { live: true })
    const blogs = async () => json(await ask(app.url, { path: '/blogs' }))
    await blogs()
    await app.use((db) => db.set('blogs', [{ id: 1 }]).value())
    expect(await blogs()).toEqual({ blogs: [{ id: 1 }] })
    await app.use((db) => db.set('blogs[0].title', 'changed').value())
    expect(await blogs()).toEqual({ blogs: [{ id: 1, title: 'changed' }] })
  })

  it('is saved by setState alone', async () => {
    const { data, saved } = await openFile()
    const app = await startWith(data)
    await app.use((db) => db.setState(other()))
    await data.close()
    expect(await saved()).toEqual(OTHER)
  })

  it.each([5, null, [], 'text', { posts: 5 }, { 'a/b': [] }])(
    'is refused when it is a state that cannot be served: %j',
    async (state) => {
      jest.spyOn(console, 'error').mockImplementation()
      const { data, saved } = await openFile()
      const app = await startWith(data)
      expect((await app.use((db) => db.setState(state))).status).toBe(500)
      expect(data.state).toEqual(sampleData())
      expect(await saved()).toEqual(sampleData())
    },
  )

  it.each([5, new Date(0)])('is rolled back when the data can no longer be served: %p', async (posts) => {
    jest.spyOn(console, 'error').mockImplementation()
    const { data, saved } = await openFile()
    const app = await startWith(data)
    expect((await app.use((db) => db.set('posts', posts).write())).status).toBe(500)
    expect(data.state).toEqual(sampleData())
    expect((await app.send('POST', '/posts', {})).status).toBe(201)
    expect(await saved()).toEqual(data.state)
  })

  it('leaves the others served where it makes one resource no resource', async () => {
    const app = await startWith(new MemoryData(sampleData()))
    await app.use((db) => db.set('posts', 5).value())
    expect((await app.send('GET', '/posts/1')).status).toBe(404)
    expect((await app.send('GET', '/comments')).status).toBe(200)
    expect((await app.send('POST', '/comments', {})).status).toBe(201)
    await app.use((db) => db.set('posts', []).value())
    expect((await app.send('GET', '/posts')).status).toBe(200)
  })

  it('is rolled back when it cannot be written, whether or not the caller waits for the write', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation()
    const { data, saved } = await openFile()
    const app = await startWith(data)
    for (const use of [
      (db: LowDatabase) => db.setState(other()).write(),
      (db: LowDatabase) => {
        db.setState(other())
      },
    ]) {
      const rename = jest.spyOn(fs, 'renameSync').mockImplementation(() => {
        throw new Error('EIO')
      })
      await app.use(use)
      await until(() => !('fresh' in data.state))
      rename.mockRestore()
      expect(data.state).toEqual(sampleData())
      expect(data.loaded).toEqual(sampleData())
      expect(await saved()).toEqual(sampleData())
    }
    expect(printed).toHaveBeenCalledWith(expect.stringContaining('The change was not made'))
  })
})

it('takes back what was changed in place when it cannot be written, also after a write', async () => {
  jest.spyOn(console, 'error').mockImplementation()
  const { data, saved } = await openFile()
  const app = await startWith(data)
  const push: Use = (db) => db.get('posts').push({ id: 'pushed' }).write()
  expect((await app.use(push)).status).toBe(204)
  const written = await saved()
  const rename = jest.spyOn(fs, 'renameSync').mockImplementation(() => {
    throw new Error('EIO')
  })
  expect((await app.use(push)).status).toBe(500)
  rename.mockRestore()
  expect(data.state).toEqual(written)
  expect(await saved()).toEqual(written)
})

describe('read()', () => {
  it('reads a file that was copied over the data file', async () => {
    const { data, file } = await openFile()
    const app = await startWith(data)
    const { status, result } = await app.use(async (db) => {
      await writeFile(file, JSON.stringify(OTHER))
      return [await db.read(), db.getState()]
    })
    expect(status).toBe(204)
    expect(result).toEqual([expect.anything(), OTHER])
    expect((await app.send('POST', '/fresh', {})).status).toBe(201)
  })

  it('leaves data in memory as it is', async () => {
    const app = await startWith(new MemoryData(sampleData()))
    expect(await app.use(async (db) => [await db.read(), db.getState()][1])).toEqual({
      status: 204,
      result: sampleData(),
    })
  })
})

describe('the database', () => {
  it('is the same for as long as the server runs, and knows the name of the id property', async () => {
    const { data } = await openFile()
    const app = await startWith(data, { idProperty: '_id' })
    const databases: unknown[] = []
    const look = (db: LowDatabase) => [databases.push(db), db._.id]
    expect(await app.use(look)).toEqual({ status: 204, result: [1, '_id'] })
    data.replace(other())
    expect(await app.use(look)).toEqual({ status: 204, result: [2, '_id'] })
    expect(databases[0]).toBe(databases[1])
  })

  it('can be given another name for the id property', async () => {
    const { data, saved } = await openFile()
    const app = await startWith(data)
    await app.use((db) => {
      db.setState({ posts: [{ _id: 5, id: 1 }] })
      db._.id = '_id'
    })
    expect(json(await app.send('GET', '/posts/5'))).toEqual({ _id: 5, id: 1 })
    expect(json(await app.send('POST', '/posts', { title: 'new' }))).toEqual({ _id: 6, title: 'new' })
    expect((await app.send('DELETE', '/posts/5')).status).toBe(200)
    expect(await saved()).toEqual({ posts: [{ _id: 6, title: 'new' }] })
  })

  it('is one for two applications over the same data', async () => {
    const { data, saved } = await openFile()
    const [one, two] = [await startWith(data), await startWith(data)]
    await one.use((db) => db.setState(other()))
    expect((await two.send('POST', '/fresh', {})).status).toBe(201)
    await two.use((db) => db.get('fresh').remove({ id: 1 }).write())
    expect((await one.send('GET', '/fresh/1')).status).toBe(404)
    expect(await saved()).toHaveProperty('fresh', [{ id: 2 }])
  })
})
