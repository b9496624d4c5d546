import { constants } from 'node:buffer'
import { chmod, lstat, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DataFile } from '../../../lib/data/data-file'
import { DataError } from '../../../lib/data/valid-data'
import { testApps } from '../../support/app'
import { fileHandles, NO_PROCESS, sampleData, tempFolders } from '../../support/data'
import { json } from '../../support/http'
import { KEPT, openKept } from '../../support/kept-data'
import { isWindows, SYNCS_OF_A_WRITE, testOfModes } from '../../support/platform'

const newFolder = tempFolders()
const { open } = testApps()

async function newFile(text = JSON.stringify(sampleData())): Promise<string> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, text)
  return file
}

afterEach(() => jest.restoreAllMocks())

describe('opening a data file', () => {
  it.each([
    ['is truncated', '{\n  "blogs": [\n    {"id": 1', /db\.json .* line 3, column \d+/],
    ['is not JSON', '{\n  "blogs": oops\n}', /db\.json .* line 2, column \d+/],
    ['begins with empty lines', '\n\n{\n  "blogs": oops\n}', /db\.json .* line 4, column \d+/],
    ['holds an array', '[]', /db\.json .*an array/],
    ['holds null', 'null', /db\.json .* null/],
    ['has a number for a collection', '{"blogs": 7}', /db\.json .*"blogs".* a number/],
    ['has null for a collection', '{"blogs": null}', /db\.json .*"blogs".* null/],
    ['has a slash in a name', '{"a/b": []}', /db\.json .*"a\/b"/],
  ])('refuses one that %s, and leaves it as it was', async (_case, text, sentence) => {
    const file = await newFile(text)
    expect(() => DataFile.open(file)).toThrow(DataError)
    expect(() => DataFile.open(file)).toThrow(sentence)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })

  it.each([
    ['in Latin-1', Buffer.from('{\n  "blogs": [\n    {"title": "caf\xe9"}]}', 'latin1'), 'line 3, column 19'],
    [
      'in which a longer character is cut',
      Buffer.from('{"a": [{"b": "\xef\xbfx"}]}', 'latin1'),
      'line 1, column 15',
    ],
    ['in UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'line 1, column 1'],
  ])('refuses one %s, because a write would lose what it holds', async (_case, bytes, place) => {
    const file = await newFile()
    await writeFile(file, bytes)
    expect(() => DataFile.open(file)).toThrow(DataError)
    expect(() => DataFile.open(file)).toThrow(new RegExp(`UTF-8 .*${place}`))
    expect(await readFile(file)).toEqual(bytes)
  })

  it('keeps a character that stands for an unreadable one', async () => {
    const file = await newFile('{"blogs": [{"id": 1, "title": "\ufffd"}]}')
    const data = DataFile.open(file)
    expect(data.state).toEqual({ blogs: [{ id: 1, title: '\ufffd' }] })
    await data.close()
  })

  it('refuses a missing file and does not make one', async () => {
    const folder = await newFolder()
    const file = path.join(folder, 'db.json')
    expect(() => DataFile.open(file)).toThrow(DataError)
    expect(() => DataFile.open(file)).toThrow(`${file} does not exist`)
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses a folder', async () => {
    const folder = await newFolder()
    expect(() => DataFile.open(folder)).toThrow('a folder')
  })

  it.each(['', ' \n\n'])('reads %j as no data, and leaves the file as it was', async (text) => {
    const file = await newFile(text)
    const data = DataFile.open(file)
    expect(data.state).toEqual({})
    await data.close()
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('refuses one that is longer than a string can be, without reading it', async () => {
    const file = await newFile()
    await truncate(file, constants.MAX_STRING_LENGTH + 1)
    expect(() => DataFile.open(file)).toThrow(/db\.json .* 512 MB/)
  })

  it.each([
    ['a byte order mark', '\uFEFF{"blogs": []}'],
    ['white space around the data', '\n\n  {"blogs": []}\r\n\n'],
    ['a $schema beside the collections', '{"$schema": "https://example.com", "blogs": []}'],
  ])('tolerates %s', async (_case, text) => {
    const data = DataFile.open(await newFile(text))
    expect(data.state.blogs).toEqual([])
    await data.close()
  })
})

describe('what a killed process has left beside the file', () => {
  it('is gone after the next start', async () => {
    const file = await newFile()
    const dead = String(NO_PROCESS)
    for (const name of [`${file}.saving-${dead}`, `${file}.saving-${dead}.123`]) await writeFile(name, dead)
    const data = DataFile.open(file)
    await data.close()
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })
})

describe('the file that is written', () => {
  testOfModes('writes two-space JSON, and keeps the mode and a symbolic link', async () => {
    const file = await newFile()
    await chmod(file, 0o640)
    const link = path.join(await newFolder(), 'link.json')
    await symlink(file, link)
    const app = await open(link)
    const answer = await app.send('POST', '/blogs', { title: 'Four' })
    expect(answer.status).toBe(201)
    const data = sampleData()
    const blogs = [...(Array.isArray(data.blogs) ? data.blogs : []), { title: 'Four', id: 4 }]
    expect(await readFile(file, 'utf8')).toBe(JSON.stringify({ ...data, blogs }, null, 2))
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
  })
})

describe.each(KEPT)('%s', (_kind, keep) => {
  async function begin() {
    const kept = await keep(await newFolder(), sampleData())
    return { ...kept, app: await open(kept.source) }
  }

  /** A DELETE of a post removes its comments, of which a folder has a file. */
  const filesBeside = (method: string, folder: string) =>
    method === 'DELETE' && path.basename(folder) === 'db' ? 1 : 0

  describe('saving', () => {
    it.each([
      ['POST', '/posts', { title: 'New' }, 201],
      ['PUT', '/posts/1', { title: 'Whole' }, 200],
      ['PATCH', '/posts/1', { views: 7 }, 200],
      ['DELETE', '/posts/1', undefined, 200],
      ['POST', '/profile', { name: 'x' }, 201],
      ['PUT', '/profile', { name: 'y' }, 200],
      ['PATCH', '/profile', { city: 'z' }, 200],
      ['POST', '/posts/2/comments', { body: 'new' }, 201],
    ])('has %s %s on the disk before the response', async (method, target, body, status) => {
      const { app, saved, folder } = await begin()
      const sync = jest.spyOn(await fileHandles(), 'sync')
      const answer = await app.send(method, target, body)
      expect(answer.status).toBe(status)
      expect(sync).toHaveBeenCalledTimes(SYNCS_OF_A_WRITE + filesBeside(method, folder))
      expect(saved()).toEqual(app.data.state)
      expect(saved()).not.toEqual(sampleData())
    })

    it.each([
      ['PUT', '/posts/99', { title: 'Whole' }],
      ['PATCH', '/posts/99', { views: 7 }],
      ['DELETE', '/posts/99', undefined],
      ['POST', '/nothing', { title: 'x' }],
    ])('writes nothing for %s %s, which finds nothing', async (method, target, body) => {
      const { app, file } = await begin()
      const before = await stat(file)
      expect((await app.send(method, target, body)).status).toBe(404)
      const after = await stat(file)
      expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs])
    })

    it('reports to each of 32 clients its own change, though the others change the same record meanwhile', async () => {
      const { app } = await begin()
      const numbers = Array.from({ length: 32 }, (_item, index) => index)
      const answers = await Promise.all(numbers.map((views) => app.send('PATCH', '/posts/1', { views })))
      expect(answers.map(({ text }) => JSON.parse(text).views)).toEqual(numbers)
    })

    it('writes once for 32 changes of one tick, and once for all that come during that write', async () => {
      const { source, saved } = await keep(await newFolder(), { numbers: [] })
      const data = openKept(source)
      const sync = jest.spyOn(await fileHandles(), 'sync')
      const changeAll = (from: number) =>
        Array.from({ length: 32 }, (_item, index) => {
          const { numbers } = data.state
          if (!Array.isArray(numbers)) throw new Error('The collection is not there.')
          return data.commit({ numbers: [...numbers, { id: from + index }] })
        })
      const first = changeAll(0)
      await new Promise(setImmediate)
      const second = changeAll(32)
      await Promise.all(first)
      await Promise.all(second)
      expect(sync.mock.calls.length).toBeLessThanOrEqual(2 * SYNCS_OF_A_WRITE)
      expect(saved()).toEqual({ numbers: Array.from({ length: 64 }, (_item, id) => ({ id })) })
      await data.close()
    })

    it('acknowledges 32 clients with fewer writes than clients, each when its record is in the file', async () => {
      const { app, saved } = await begin()
      const sync = jest.spyOn(await fileHandles(), 'sync')
      await Promise.all(
        Array.from({ length: 32 }, async (_item, index) => {
          const answer = await app.send('POST', '/tags', { id: `tag-${index}` })
          expect(answer.status).toBe(201)
          expect(saved()).toMatchObject({
            tags: expect.arrayContaining([{ id: `tag-${index}` }]),
          })
        }),
      )
      expect(sync.mock.calls.length).toBeLessThan(32 * SYNCS_OF_A_WRITE)
    })

    it('finishes the write under way before it closes', async () => {
      const { source, saved } = await keep(await newFolder(), { numbers: [] })
      const data = openKept(source)
      const committed = data.commit({ numbers: [{ id: 1 }] })
      await data.close()
      expect(saved()).toEqual({ numbers: [{ id: 1 }] })
      await committed
    })
  })

  // On Windows, EACCES says that another program holds the file: windows.compare.test.ts.
  describe.each(['ENOSPC', 'EIO', ...(isWindows ? [] : ['EACCES'])])('a write that fails with %s', (code) => {
    async function failWrites() {
      return jest
        .spyOn(await fileHandles(), 'sync')
        .mockRejectedValue(Object.assign(new Error(`${code}: ${__filename}`), { code }))
    }

    it.each([
      ['POST', '/posts', { title: 'New' }],
      ['PUT', '/posts/1', { title: 'Whole' }],
      ['PATCH', '/posts/1', { views: 7 }],
      ['DELETE', '/posts/1', undefined],
      ['PATCH', '/profile', { city: 'z' }],
    ])('fails %s %s, takes the change back, and the next write works', async (method, target, body) => {
      const { app, saved, folder, names } = await begin()
      const cause = await failWrites()
      const answer = await app.send(method, target, body)
      expect(answer.status).toBe(500)
      expect(answer.headers.location).toBeUndefined()
      expect(json(answer)).toEqual({ error: expect.stringContaining(code) })
      expect(answer.text).not.toContain(folder)
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect(saved()).toEqual(sampleData())
      expect((await readdir(folder)).sort()).toEqual(names)

      cause.mockRestore()
      expect((await app.send(method, target, body)).status).toBeLessThan(300)
      expect(json(await app.send('GET', '/db'))).toEqual(saved())
      expect(saved()).not.toEqual(sampleData())
    })

    it('fails every reply that waited for it, and only these', async () => {
      const { app, saved } = await begin()
      expect((await app.send('POST', '/tags', { id: 'before' })).status).toBe(201)
      const cause = await failWrites()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_item, index) => app.send('POST', '/tags', { id: `lost-${index}` })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(500))
      cause.mockRestore()
      expect((await app.send('POST', '/tags', { id: 'after' })).status).toBe(201)
      expect(saved()).toMatchObject({
        tags: [{ id: 'a1b2', label: 'tea' }, { id: 'before' }, { id: 'after' }],
      })
    })
  })
})
