import { once } from 'node:events'
import fs, { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FolderData } from '../../../lib/data/folder-data'
import { DataError } from '../../../lib/data/valid-data'
import { testApps } from '../../support/app'
import { NO_PROCESS, sampleData, tempFolders } from '../../support/data'
import { json } from '../../support/http'
import { contentOf } from '../../support/kept-data'
import { hasLinks, testOfUnix } from '../../support/platform'
import { failure } from './file-calls'

const newFolder = tempFolders()
const { open } = testApps()

/** Makes a folder with files: a text as it is, anything else as JSON. */
async function folderWith(files: Record<string, unknown>): Promise<string> {
  const folder = path.join(await newFolder(), 'db')
  await mkdir(folder)
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

const sampleFolder = () =>
  folderWith(Object.fromEntries(Object.entries(sampleData()).map(([name, data]) => [`${name}.json`, data])))

async function begin() {
  const folder = await sampleFolder()
  const app = await open(folder)
  return {
    folder,
    app,
    saved: () => contentOf(folder),
    write: (name: string, text: string) => writeFile(path.join(folder, name), text),
    /** Puts another file in the place of one, at once. */
    replace: (name: string, content: unknown) => {
      writeFileSync(path.join(folder, `${name}~`), JSON.stringify(content))
      renameSync(path.join(folder, `${name}~`), path.join(folder, name))
    },
    get: async (target: string) => json(await app.send('GET', target)),
  }
}

afterEach(() => jest.restoreAllMocks())

describe('opening a folder', () => {
  it('reads each JSON file as the resource of its name, in their order', async () => {
    const data = FolderData.open(
      await folderWith({
        'posts.json': [{ id: 1 }],
        'a.b.json': {},
        'notes.txt': 'x',
      }),
    )
    expect(Object.entries(data.state)).toEqual([
      ['a.b', {}],
      ['posts', [{ id: 1 }]],
    ])
    await data.close()
  })

  it('leaves out a file named __proto__.json with a warning, and saves changes after the next edit', async () => {
    const folder = await folderWith({
      'users.json': sampleData().users,
      'posts.json': [],
      '__proto__.json': [{ id: 1 }],
    })
    const app = await open(folder)
    expect(app.warn.mock.calls).toEqual([[expect.stringMatching(/db.__proto__\.json .*left out/)]])
    const reloaded = once(app.data, 'reload')
    await writeFile(path.join(folder, 'posts.json'), '[{"id": 1}]')
    await reloaded
    expect((await app.send('POST', '/posts', {})).status).toBe(201)
    expect(json(await app.send('GET', '/db'))).toEqual({
      users: sampleData().users,
      posts: [{ id: 1 }, { id: 2 }],
    })
    expect(readFileSync(path.join(folder, '__proto__.json'), 'utf8')).toBe('[{"id":1}]')
  })

  it('reads an empty one as no data', async () => {
    const data = FolderData.open(await folderWith({}))
    expect(data.state).toEqual({})
    await data.close()
  })

  it('takes nothing else for a resource', async () => {
    const folder = await folderWith({
      'posts.json': [],
      'db.json': {},
      'db-1700000000000.json': {},
      'json-server.json': {},
      'routes.json': {},
      '.hidden.json': [],
      'posts.json~': 'no JSON',
    })
    await mkdir(path.join(folder, 'folder.json'))
    if (hasLinks) await symlink('posts.json', path.join(folder, 'link.json'))
    const data = FolderData.open(folder)
    expect(data.state).toEqual({ posts: [] })
    await data.close()
  })

  it.each([
    ['no JSON', 'oops', /db.posts\.json .* line 1/],
    ['empty', '', /db.posts\.json .*empty/],
    ['a number', '7', /db.posts\.json .* a number/],
    ['null', 'null', /db.posts\.json .* null/],
  ])('refuses one with a file that is %s, names it, and leaves it', async (_case, text, sentence) => {
    const folder = await folderWith({ 'posts.json': text, 'tags.json': [] })
    expect(() => FolderData.open(folder)).toThrow(DataError)
    expect(() => FolderData.open(folder)).toThrow(sentence)
    expect(readFileSync(path.join(folder, 'posts.json'), 'utf8')).toBe(text)
  })

  it('refuses one that is not there', async () => {
    const folder = path.join(await newFolder(), 'nowhere')
    expect(() => FolderData.open(folder)).toThrow(/nowhere does not exist/)
  })

  it('removes what killed processes have left, and keeps the rest', async () => {
    const folder = await folderWith({
      'posts.json': [],
      [`posts.json.saving-${NO_PROCESS}`]: 'torn',
      'notes.txt': 'x',
    })
    await FolderData.open(folder).close()
    expect((await readdir(folder)).sort()).toEqual(['notes.txt', 'posts.json'])
  })

  it('says once what is wrong with all of its files', async () => {
    jest.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw failure('EPERM')
    })
    const { app } = await begin()
    expect(app.warn.mock.calls).toEqual([[expect.stringMatching(/^No hard link .*blogs\.json.* 5 more/)]])
  })
})

describe('a change', () => {
  it('writes the file of what has changed, in two-space JSON, and no other', async () => {
    const { folder, app } = await begin()
    const inodes = () =>
      Promise.all(
        Object.keys(sampleData()).map(async (name) => (await stat(path.join(folder, `${name}.json`))).ino),
      )
    const before = await inodes()
    expect((await app.send('POST', '/tags', { id: 'new' })).status).toBe(201)
    const tags = [{ id: 'a1b2', label: 'tea' }, { id: 'new' }]
    expect(readFileSync(path.join(folder, 'tags.json'), 'utf8')).toBe(JSON.stringify(tags, null, 2))
    const after = await inodes()
    expect(after.filter((inode, index) => inode !== before[index])).toHaveLength(1)
  })

  it.each([
    ['posts', 'comments', '/posts/1'],
    ['users', 'blogs', '/users/1'],
  ])('of %s that cascades writes %s first', async (parent, child, target) => {
    const folder = await folderWith({
      'users.json': [{ id: 1, email: 'ada@example.com', password: 'lovelace' }],
      'blogs.json': [{ id: 1, userId: 1 }],
      'posts.json': [{ id: 1 }],
      'comments.json': [{ id: 1, postId: 1 }],
    })
    const app = await open(folder)
    const rename = jest.spyOn(fs, 'renameSync')
    expect((await app.send('DELETE', target)).status).toBe(200)
    expect(rename.mock.calls.map(([, to]) => path.basename(String(to)))).toEqual([
      `${child}.json`,
      `${parent}.json`,
    ])
  })

  it('is put back in the first file where the second cannot be written', async () => {
    const { folder, app, saved } = await begin()
    const real = fs.renameSync
    const rename = jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (String(from).includes('posts.json.saving')) throw failure('EIO')
      real(from, to)
    })
    const refused = await app.send('DELETE', '/posts/1')
    expect([refused.status, json(refused)]).toEqual([
      500,
      { error: expect.stringMatching(/not made, .*db.posts\.json .*EIO/) },
    ])
    expect(refused.text).not.toContain(folder)
    expect(app.warn).toHaveBeenCalledWith(expect.stringContaining(path.join(folder, 'posts.json')))
    expect([saved(), json(await app.send('GET', '/db'))]).toEqual([sampleData(), sampleData()])
    rename.mockRestore()
    expect((await app.send('DELETE', '/posts/1')).status).toBe(200)
    expect(saved().comments).toEqual([{ id: 3, body: 'meh', postId: 2 }])
  })

  it('that could not be put back either is what the response says, and the server serves what is there', async () => {
    const { app, saved } = await begin()
    const real = fs.renameSync
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (!String(from).includes('comments.json.saving') || String(to).includes('posts')) throw failure('EIO')
      if (existsSync(to) && readFileSync(from, 'utf8').includes('nice')) throw failure('EIO')
      real(from, to)
    })
    const refused = await app.send('DELETE', '/posts/1')
    expect([refused.status, json(refused)]).toEqual([
      500,
      { error: expect.stringMatching(/made in comments\.json alone/) },
    ])
    expect(json(await app.send('GET', '/db'))).toEqual(saved())
    expect(saved()).toEqual({ ...sampleData(), comments: [{ id: 3, body: 'meh', postId: 2 }] })
  })

  it('by `app.db` may add a resource, and remove one', async () => {
    const { folder, app, saved } = await begin()
    const { tags: _tags, ...rest } = app.data.state
    await app.data.commit({ ...rest, fresh: [{ id: 1 }] })
    expect(saved()).toEqual({ ...rest, fresh: [{ id: 1 }] })
    expect((await app.send('POST', '/fresh', { id: 2 })).status).toBe(201)
    expect(saved().fresh).toEqual([{ id: 1 }, { id: 2 }])
    expect(existsSync(path.join(folder, 'tags.json'))).toBe(false)
    await expect(app.data.commit({ ...app.data.state, routes: [] })).rejects.toMatchObject({ status: 500 })
    expect(existsSync(path.join(folder, 'routes.json'))).toBe(false)
    expect(app.data.state).toEqual(saved())
  })
})

describe('a file of the folder', () => {
  it('that is added is a new resource, and is served when it can be', async () => {
    const { app, write, get, saved } = await begin()
    const unusable = once(app.data, 'unusable')
    await write('fresh.json', '[{"id": 1}')
    expect(await unusable).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/db.fresh\.json .*line 1/) }),
    ])
    expect(await get('/fresh')).toEqual({})
    const reloaded = once(app.data, 'reload')
    await write('fresh.json', '[{"id": 1}]')
    await reloaded
    expect((await app.send('POST', '/fresh', {})).status).toBe(201)
    expect(saved()).toEqual({ ...sampleData(), fresh: [{ id: 1 }, { id: 2 }] })
  })

  it('that was added torn, and removed, leaves nothing', async () => {
    const { app, folder, write, get } = await begin()
    const unusable = once(app.data, 'unusable')
    await write('fresh.json', '[')
    await unusable
    const mended = once(app.data, 'reload')
    await rm(path.join(folder, 'fresh.json'))
    await mended
    expect(await get('/db')).toEqual(sampleData())
  })

  it('that is gone refuses its own changes alone, and names itself', async () => {
    const { app, folder, get } = await begin()
    const unusable = once(app.data, 'unusable')
    await rm(path.join(folder, 'tags.json'))
    await unusable
    const refused = await app.send('POST', '/tags', { id: 'lost' })
    expect([refused.status, refused.headers['retry-after'], json(refused)]).toEqual([
      503,
      '1',
      { error: expect.stringMatching(/db.tags\.json is gone/) },
    ])
    const [lost, made] = await Promise.all([
      app.send('PATCH', '/tags/a1b2', { label: 'lost' }),
      app.send('POST', '/posts', { title: 'made' }),
    ])
    expect([lost.status, made.status]).toEqual([503, 201])
    expect(await get('/tags')).toEqual(sampleData().tags)
    expect(JSON.stringify(await get('/posts'))).toContain('made')
    expect(readFileSync(path.join(folder, 'posts.json'), 'utf8')).toContain('made')
  })

  it('that cannot be served is named by every 503 until it is mended, and nothing is loaded or saved', async () => {
    const { app, write, get, saved, folder } = await begin()
    const unusable = once(app.data, 'unusable')
    await write('tags.json', 'oops')
    await unusable
    await write('posts.json', '[{"id": 7}]')
    for (const [method, target] of [
      ['POST', '/posts'],
      ['PATCH', '/tags/a1b2'],
      ['DELETE', '/users/1'],
    ] as const) {
      const refused = await app.send(method, target, method === 'DELETE' ? undefined : { title: 'lost' })
      expect([refused.status, refused.headers['retry-after'], json(refused)]).toEqual([
        503,
        '1',
        { error: expect.stringMatching(/db.tags\.json .*line 1/) },
      ])
    }
    expect(await get('/db')).toEqual(sampleData())
    await rm(path.join(folder, 'tags.json'))
    await write('tags.json', '[{"id": "mended"}]')
    expect((await app.send('POST', '/posts', {})).status).toBe(201)
    expect(saved()).toEqual({ ...sampleData(), tags: [{ id: 'mended' }], posts: [{ id: 7 }, { id: 8 }] })
    expect(await get('/db')).toEqual(saved())
  })

  describe('that is mounted by itself', () => {
    const real = fs.linkSync
    const mount = () =>
      jest.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
        if (path.basename(String(from)) === 'tags.json') throw failure('EXDEV')
        real(from, to)
      })
    const refusal = {
      error: expect.stringMatching(/^The change was not made, because db.tags\.json is mounted by itself/),
    }

    testOfUnix('is named by every 503, as the start says, until it is not any more', async () => {
      const mounted = mount()
      const { app, saved } = await begin()
      expect(app.warn.mock.calls).toEqual([
        [expect.stringMatching(/^No change can be saved, .*db.tags\.json/)],
      ])
      expect(app.data.canSave).toBe(false)
      for (const [target, body] of Object.entries({ '/posts': {}, '/tags': { id: 'lost' } })) {
        const refused = await app.send('POST', target, body)
        expect([refused.status, json(refused)]).toEqual([503, refusal])
      }
      expect([saved(), json(await app.send('GET', '/db'))]).toEqual([sampleData(), sampleData()])
      mounted.mockRestore()
      expect((await app.send('POST', '/posts', {})).status).toBe(201)
    })

    testOfUnix('is so also where it was put there later, and is loaded', async () => {
      const { app, write, get } = await begin()
      mount()
      const reloaded = once(app.data, 'reload')
      await write('tags.json', '[{"id": "mounted"}]')
      await reloaded
      const refused = await app.send('POST', '/posts', {})
      expect([refused.status, json(refused)]).toEqual([503, refusal])
      expect(await get('/tags')).toEqual([{ id: 'mounted' }])
    })
  })

  it('that is replaced while a change of another one is in flight does not refuse it', async () => {
    const { app, saved, replace } = await begin()
    const { tags: _tags, ...rest } = sampleData()
    for (const round of [1, 2, 3]) {
      const first = app.data.commit({ ...app.data.state, posts: [{ id: round }] })
      replace('tags.json', [{ id: `tag ${round}` }])
      const second = app.data.commit({ ...app.data.state, profile: { name: `name ${round}` } })
      await Promise.all([first, second])
      expect(saved()).toEqual({
        ...rest,
        posts: [{ id: round }],
        profile: { name: `name ${round}` },
        tags: [{ id: `tag ${round}` }],
      })
      expect(app.data.state).toEqual(saved())
    }
  })

  it('that is replaced refuses a change of itself, and takes back what was made on top of that', async () => {
    const { app, saved, replace } = await begin()
    const crossed = app.data.commit({ ...app.data.state, tags: [] })
    replace('tags.json', [{ id: 'theirs' }])
    const onTop = app.data.commit({ ...app.data.state, posts: [] })
    const states = await Promise.allSettled([crossed, onTop])
    expect(states).toEqual(
      Array(2).fill({
        status: 'rejected',
        reason: expect.objectContaining({
          status: 503,
          message: expect.stringContaining('Send the request again'),
        }),
      }),
    )
    expect(saved()).toEqual({ ...sampleData(), tags: [{ id: 'theirs' }] })
    expect(app.data.state).toEqual(saved())
  })

  it('that is replaced again and again refuses no request for the others', async () => {
    const { app, get, saved, replace } = await begin()
    let isOver = false
    const editing = (async () => {
      for (let round = 0; !isOver; round += 1) {
        replace('tags.json', [{ id: `tag ${round}` }])
        await new Promise(setImmediate)
      }
    })()
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async (_item, client) => {
        const seen: number[] = []
        for (let round = 0; round < 15; round += 1) {
          const title = `post ${client}-${round}`
          seen.push((await app.send('POST', '/posts', { title })).status)
        }
        return seen
      }),
    )
    isOver = true
    await editing
    expect(new Set(statuses.flat())).toEqual(new Set([201]))
    expect(saved().posts).toHaveLength(62)
    await app.data.refresh()
    expect(await get('/db')).toEqual(saved())
  })

  it('that an editor saves while another one is written is kept, as is what was written', async () => {
    const { app, write, saved } = await begin()
    for (let round = 0; round < 20; round += 1) {
      const [answer] = await Promise.all([
        app.send('POST', '/posts', { title: `post ${round}` }),
        write('tags.json', JSON.stringify([{ id: `tag ${round}` }])),
      ])
      if (answer.status === 503) round -= 1
      else expect(answer.status).toBe(201)
    }
    expect(saved().posts).toHaveLength(22)
    expect(saved().tags).toEqual([{ id: 'tag 19' }])
    await app.data.refresh()
    expect(app.data.state).toEqual(saved())
  })
})
