import { once } from 'node:events'
import fs, { writeFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { testApps } from '../../support/app'
import { fileHandles, sampleData, tempFolders } from '../../support/data'
import { type Answer, json } from '../../support/http'
import { inFile, KEPT } from '../../support/kept-data'
import { testOfUnix } from '../../support/platform'

const newFolder = tempFolders()
const { open } = testApps()

/** What an editor writes: valid data that differs from the sample. */
const EDITED = { ...sampleData(), tags: [{ id: 'edited', label: 'coffee' }] }

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}~`, text)
  await rename(`${file}~`, file)
}

/** Writes the text in the middle of the next write of the server. */
async function crossNextWrite(file: string, text: string): Promise<void> {
  jest.spyOn(await fileHandles(), 'sync').mockImplementationOnce(async () => writeFileSync(file, text))
}

afterEach(() => jest.restoreAllMocks())

describe.each(KEPT)('%s', (_kind, keep) => {
  async function begin() {
    const kept = await keep(await newFolder(), sampleData())
    return { ...kept, app: await open(kept.source) }
  }

  describe.each([
    ['in place', (file: string, text: string) => writeFile(file, text)],
    ['by rename', replaceFile],
  ])('a file that an editor changes %s', (_how, change) => {
    it('is picked up without a restart or a new login, again and again', async () => {
      const { file, app, text } = await begin()
      for (const label of ['one', 'three', 'fifteen']) {
        const reloaded = once(app.data, 'reload')
        await change(file, text({ ...EDITED, tags: [{ id: 1, label }] }))
        await reloaded
        expect(json(await app.send('GET', '/tags'))).toEqual([{ id: 1, label }])
      }
    })

    it('is not reloaded if its text is the same', async () => {
      const { file, app, text } = await begin()
      const { data } = app
      const reloaded = jest.fn()
      data.on('reload', reloaded)
      await change(file, text(sampleData()))
      await data.refresh()
      expect(reloaded).not.toHaveBeenCalled()
    })

    it('is reloaded before the next change, which is then saved on top of it', async () => {
      const { file, app, text, saved } = await begin()
      await change(file, text(EDITED))
      const answer = await app.send('POST', '/tags', { id: 'mine' })
      expect(answer.status).toBe(201)
      expect(saved()).toEqual({ ...EDITED, tags: [...EDITED.tags, { id: 'mine' }] })
    })

    it('serves the last good data while it is invalid, and saves nothing', async () => {
      const { file, app, text, saved } = await begin()
      const unusable = once(app.data, 'unusable')
      const broken = '{\n  "tags": [],\n  "blogs": [}\n}'
      await change(file, broken)
      await unusable
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      for (const [method, target] of [
        ['POST', '/tags'],
        ['PUT', '/tags/a1b2'],
        ['DELETE', '/tags/a1b2'],
      ] as const) {
        const answer = await app.send(method, target, method === 'DELETE' ? undefined : { label: 'x' })
        expect(answer.status).toBe(503)
        expect(answer.headers['retry-after']).toBe('1')
        expect(json(answer)).toEqual({ error: expect.stringMatching(/line 3, column 1[34]\b/) })
      }
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect(await readFile(file, 'utf8')).toBe(broken)

      const reloaded = once(app.data, 'reload')
      await change(file, text(EDITED))
      await reloaded
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      expect(saved()).toEqual({ ...EDITED, tags: [...EDITED.tags, { id: 'mine' }] })
    })

    it('serves the last good data while it is not UTF-8, and leaves its bytes', async () => {
      const { file, app } = await begin()
      const unusable = once(app.data, 'unusable')
      const bytes = Buffer.from('{"tags": [{"id": "caf\xe9"}]}', 'latin1')
      await writeFile(`${file}~`, bytes)
      await rename(`${file}~`, file)
      await unusable
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      const answer = await app.send('POST', '/tags', { id: 'mine' })
      expect(answer.status).toBe(503)
      expect(json(answer)).toEqual({ error: expect.stringContaining('line 1, column 22') })
      expect(await readFile(file)).toEqual(bytes)
    })

    it('can be put back to what it was', async () => {
      const { file, app, text } = await begin()
      const unusable = once(app.data, 'unusable')
      await change(file, 'oops')
      await unusable
      await change(file, text(sampleData()))
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
    })
  })

  describe('a file that is changed in the middle of a write', () => {
    it('is not overwritten: the change is refused and can be sent again', async () => {
      const { file, app, text, saved } = await begin()
      await crossNextWrite(file, text(EDITED))
      const refused = await app.send('POST', '/tags', { id: 'mine' })
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('1')
      expect(json(refused)).toEqual({ error: expect.stringContaining('Send the request again') })
      expect(saved()).toEqual(EDITED)
      expect(json(await app.send('GET', '/db'))).toEqual(EDITED)
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      expect(saved()).toEqual({ ...EDITED, tags: [...EDITED.tags, { id: 'mine' }] })
    })

    it('is not overwritten either when it is invalid', async () => {
      const { file, app } = await begin()
      await crossNextWrite(file, '{"blogs": [')
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
      expect(await readFile(file, 'utf8')).toBe('{"blogs": [')
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
    })
  })

  describe('a file that somebody changes back once it was replaced', () => {
    testOfUnix('is read again, though the change is acknowledged only then', async () => {
      const { file, app, saved } = await begin()
      const before = await readFile(file, 'utf8')
      const handles = await fileHandles()
      const sync = handles.sync
      jest.spyOn(handles, 'sync').mockImplementation(async function (this: typeof handles) {
        await sync.call(this)
        if (!(await this.stat()).isDirectory()) return
        writeFileSync(file, before)
      })
      const reloaded = once(app.data, 'reload')
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      jest.restoreAllMocks()
      await reloaded
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect((await app.send('POST', '/tags', { id: 'next' })).status).toBe(201)
      expect(saved()).toEqual(json(await app.send('GET', '/db')))
      expect(saved()).toMatchObject({ tags: [{ id: 'a1b2', label: 'tea' }, { id: 'next' }] })
    })
  })

  describe('a file that is reloaded while a change waits for its write', () => {
    it('discards the change, which is not reported as saved', async () => {
      const { file, app, text, saved } = await begin()
      const { data } = app
      const saving = data.commit({ ...data.state, tags: [{ id: 'mine' }] })
      writeFileSync(file, text(EDITED))
      // As the next request does that changes something.
      await data.refresh()
      await expect(saving).rejects.toMatchObject({ status: 503 })
      expect(saved()).toEqual(EDITED)
    })
  })

  describe('a file that is changed between the look at it and the write', () => {
    it.each([
      ['POST', '/posts', { title: 'New' }, 'posts'],
      ['POST', '/posts/1/comments', { body: 'New' }, 'comments'],
      ['PUT', '/posts/1', { title: 'Whole' }, 'posts'],
      ['PATCH', '/posts/1', { views: 7 }, 'posts'],
      ['DELETE', '/posts/1', undefined, 'comments'],
      ['PUT', '/profile', { name: 'y' }, 'profile'],
      ['PATCH', '/profile', { city: 'z' }, 'profile'],
    ])('is not overwritten by %s %s, which is refused', async (method, target, body, resource) => {
      const { app, fileOf, saved } = await begin()
      const refresh = app.data.refresh.bind(app.data)
      const edited = {
        ...sampleData(),
        [resource]: resource === 'profile' ? { name: 'edited' } : [{ id: 1, postId: 1, title: 'edited' }],
      }
      const { file, text } = fileOf(resource, edited)
      jest.spyOn(app.data, 'refresh').mockImplementationOnce(async () => {
        await refresh()
        writeFileSync(file, text)
      })
      const answer = await app.send(method, target, body)
      expect([answer.status, saved()]).toEqual([503, edited])
      expect((await app.send(method, target, body)).status).toBeLessThan(300)
      expect(saved()).toEqual(json(await app.send('GET', '/db')))
      expect(saved()).not.toEqual(edited)
    })
  })

  describe('a file that is removed', () => {
    it('is not brought back; reads go on, and writes work when it is there again', async () => {
      const { file, app, text, saved } = await begin()
      await rm(file)
      const refused = await app.send('POST', '/tags', { id: 'mine' })
      expect(refused.status).toBe(503)
      expect(json(refused)).toEqual({ error: expect.stringMatching(/json (does not exist|is gone)/) })
      await expect(readFile(file)).rejects.toThrow('ENOENT')
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect((await app.send('HEAD', '/db')).status).toBe(200)
      await writeFile(file, text(EDITED))
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      expect(saved()).toEqual({ ...EDITED, tags: [...EDITED.tags, { id: 'mine' }] })
    })

    it('can go with its folder', async () => {
      const folder = path.join(await newFolder(), 'deep')
      await mkdir(folder)
      const { source, saved } = await keep(folder, sampleData())
      const app = await open(source)
      await rm(folder, { recursive: true })
      const refused = await app.send('PATCH', '/profile', { name: 'x' })
      expect(refused.status).toBe(503)
      expect(json(await app.send('GET', '/profile'))).toEqual({ name: 'typicode' })
      await mkdir(folder)
      await keep(folder, sampleData())
      expect((await app.send('PATCH', '/profile', { name: 'x' })).status).toBe(200)
      expect(saved()).toMatchObject({ profile: { name: 'x' } })
    })
  })

  describe('a file that becomes empty', () => {
    it('is an error, and not the end of the data, until an editor has written the rest', async () => {
      const { file, app, text } = await begin()
      const unusable = once(app.data, 'unusable')
      await writeFile(file, '')
      expect(await unusable).toEqual([
        expect.objectContaining({ message: expect.stringContaining('is empty') }),
      ])
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
      expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
      expect(await readFile(file, 'utf8')).toBe('')
      const reloaded = once(app.data, 'reload')
      await writeFile(file, text(EDITED))
      await reloaded
      expect(json(await app.send('GET', '/db'))).toEqual(EDITED)
    })
  })

  describe('a file that an editor empties and fills with the same text', () => {
    it('is served again, says nothing, and keeps a change that waits for its write', async () => {
      const { file, app, text, saved } = await begin()
      const { data } = app
      const seen: string[] = []
      for (const event of ['unusable', 'reload'] as const) data.on(event, () => seen.push(event))
      const saving = data.commit({ ...data.state, tags: [{ id: 'mine' }] })
      writeFileSync(file, '')
      await data.refresh().catch(() => {})
      writeFileSync(file, text(sampleData()))
      await data.refresh()
      await saving
      expect(seen).toEqual([])
      expect(saved()).toEqual({ ...sampleData(), tags: [{ id: 'mine' }] })
    })
  })

  describe('a file that cannot be read for a moment', () => {
    it('is read again with the next change, though it has not changed', async () => {
      const { file, app, text, saved } = await begin()
      await replaceFile(file, text(EDITED))
      const failing = jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
        throw Object.assign(new Error('no more descriptors'), { code: 'EMFILE' })
      })
      for (let count = 0; count < 2; count += 1) {
        const refused = await app.send('POST', '/tags', { id: 'mine' })
        expect(refused.status).toBe(503)
        expect(json(refused)).toEqual({ error: expect.stringContaining('(EMFILE)') })
      }
      failing.mockRestore()
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      expect(saved()).toEqual({ ...EDITED, tags: [...EDITED.tags, { id: 'mine' }] })
    })

    it('is read again without a change, too', async () => {
      const { file, app, text } = await begin()
      const { data } = app
      const unusable = once(data, 'unusable')
      const failing = jest.spyOn(fs, 'readFileSync').mockImplementation(() => {
        throw Object.assign(new Error('no more descriptors'), { code: 'EMFILE' })
      })
      await replaceFile(file, text(EDITED))
      await unusable
      const reloaded = once(data, 'reload')
      failing.mockRestore()
      await reloaded
      expect(data.state).toEqual(EDITED)
    })
  })

  describe('a file that cannot be reached for a moment', () => {
    it('is read again when it can be, as the file that it was', async () => {
      const { file, app, saved } = await begin()
      const folder = path.dirname(file)
      await rename(folder, `${folder}-away`)
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
      await rename(`${folder}-away`, folder)
      expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
      expect(saved()).toEqual(json(await app.send('GET', '/db')))
    })
  })

  describe('a file that cannot be reached in the middle of a write', () => {
    it('is replaced when it can be, and the next change works, too', async () => {
      const { file, app, saved } = await begin()
      const folder = path.dirname(file)
      jest.spyOn(await fileHandles(), 'sync').mockImplementationOnce(async () => {
        await rename(folder, `${folder}-away`)
        await app.data.refresh()
        await rename(`${folder}-away`, folder)
      })
      for (const id of ['one', 'two']) expect((await app.send('POST', '/tags', { id })).status).toBe(201)
      expect(saved()).toEqual(json(await app.send('GET', '/db')))
    })
  })

  describe('two servers on it', () => {
    it('lose no acknowledged change, whichever of them was asked', async () => {
      const { source, saved } = await keep(await newFolder(), sampleData())
      const apps = [await open(source), await open(source)]
      const acknowledged: unknown[] = []

      async function untilAccepted(ask: () => Promise<Answer>): Promise<Answer> {
        const answer = await ask()
        return answer.status === 503 ? untilAccepted(ask) : answer
      }
      await Promise.all(
        apps.flatMap((app, server) =>
          Array.from({ length: 3 }, async (_item, client) => {
            for (let count = 0; count < 8; count += 1) {
              const id = `server-${server}-client-${client}-${count}`
              const created = await untilAccepted(() => app.send('POST', '/tags', { id }))
              expect(created.status).toBe(201)
              const changed = await untilAccepted(() => app.send('PATCH', `/tags/${id}`, { count }))
              expect(changed.status).toBe(200)
              acknowledged.push({ id, count })
            }
          }),
        ),
      )
      const content = saved()
      expect(acknowledged).toHaveLength(48)
      expect(content.tags).toEqual(expect.arrayContaining(acknowledged))
      expect(content.tags).toHaveLength(49)
      const { tags: _tags, ...others } = sampleData()
      expect(content).toMatchObject(others)
    })
  })
})

async function newFile() {
  return inFile(await newFolder(), sampleData())
}

describe('a symbolic link', () => {
  it('is reloaded when it is pointed at another file, and again when that one changes', async () => {
    const [{ file, saved }, other] = [await newFile(), await newFile()]
    const link = path.join(await newFolder(), 'link.json')
    await symlink(file, link)
    const app = await open(link)
    await writeFile(other.file, JSON.stringify(EDITED))
    const pointed = once(app.data, 'reload')
    await symlink(other.file, `${link}~`)
    await rename(`${link}~`, link)
    await pointed
    expect(json(await app.send('GET', '/tags'))).toEqual(EDITED.tags)
    const edited = once(app.data, 'reload')
    await writeFile(other.file, JSON.stringify(sampleData()))
    await edited
    expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
    expect(other.saved()).toEqual(json(await app.send('GET', '/db')))
    expect(saved()).toEqual(sampleData())
  })

  it('that leads to itself is an error until it leads to a file again', async () => {
    const file = (await newFile()).file
    const app = await open(file)
    const unusable = once(app.data, 'unusable')
    await symlink(file, `${file}~`)
    await rename(`${file}~`, file)
    expect(await unusable).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/db\.json.*leads to itself/) }),
    ])
    expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(503)
    expect(json(await app.send('GET', '/db'))).toEqual(sampleData())
    await replaceFile(file, JSON.stringify(EDITED))
    expect((await app.send('POST', '/tags', { id: 'mine' })).status).toBe(201)
  })
})
