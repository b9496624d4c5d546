import fs, { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import v8 from 'node:v8'
import { DataFile } from '../../../lib/data/data-file'
import { type TestApp, testApps } from '../../support/app'
import { fileHandles, sampleData, tempFolders } from '../../support/data'
import { json } from '../../support/http'
import { KEPT } from '../../support/kept-data'
import { isWindows, testOfUnix } from '../../support/platform'
import { failure, interceptFileCalls } from './file-calls'

const newFolder = tempFolders()
const { open } = testApps()

async function newFile(): Promise<string> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  return file
}

/** A call of `node:fs` that fails for the files that a pattern names. */
function failFor(call: 'linkSync' | 'renameSync', pattern: RegExp, code: string): void {
  const real = fs[call]
  jest.spyOn(fs, call).mockImplementation((...paths: unknown[]) => {
    if (paths.some((file) => pattern.test(String(file)))) throw failure(code)
    Reflect.apply(real, fs, paths)
  })
}

/** The server has in memory what is kept. */
async function agrees(app: TestApp, saved: () => unknown): Promise<boolean> {
  return isDeepStrictEqual(json(await app.send('GET', '/db')), saved())
}

function saved(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

afterEach(() => jest.restoreAllMocks())

it('writes no text that is larger than half the heap, unless the old one was no smaller', async () => {
  const file = await newFile()
  await writeFile(file, '{"profile": {"name": "a long name"}}')
  const data = DataFile.open(file)
  const rename = (name: string) => data.commit({ profile: { name } })
  await rename('a long name')
  const statistics = v8.getHeapStatistics()
  jest.spyOn(v8, 'getHeapStatistics').mockReturnValue({ ...statistics, heap_size_limit: 10 })
  await expect(rename('a longer name')).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/larger than half/),
  })
  expect(saved(file)).toEqual({ profile: { name: 'a long name' } })
  expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  for (const name of ['A LONG NAME', 'short']) {
    await rename(name)
    expect(saved(file)).toEqual({ profile: { name } })
  }
  await expect(rename('longer')).rejects.toMatchObject({ status: 503 })
  await data.close()
})

describe.each(KEPT)('%s', (_kind, keep) => {
  const place = async () => keep(await newFolder(), sampleData())
  const begin = async () => {
    const kept = await place()
    return { ...kept, app: await open(kept.source) }
  }

  describe('a folder that cannot be synced after the change was made', () => {
    async function failFolders(code: string) {
      const handles = await fileHandles()
      const sync = handles.sync
      return jest.spyOn(handles, 'sync').mockImplementation(async function (this: typeof handles) {
        if ((await this.stat()).isDirectory()) throw failure(code)
        await sync.call(this)
      })
    }

    it('is no failure where the file system never syncs folders', async () => {
      const app = (await begin()).app
      await failFolders('EINVAL')
      expect((await app.send('POST', '/tags', { id: 'made' })).status).toBe(201)
    })

    testOfUnix('is reported as such, and the change stays', async () => {
      const { app, saved } = await begin()
      const failing = await failFolders('EIO')
      const answer = await app.send('POST', '/tags', { id: 'made' })
      expect(answer.status).toBe(500)
      expect(json(answer)).toEqual({
        error: expect.stringMatching(/was made, .*power failure.* \(EIO\)/),
      })
      expect(saved()).toMatchObject({ tags: [{ id: 'a1b2', label: 'tea' }, { id: 'made' }] })
      expect(await agrees(app, saved)).toBe(true)
      failing.mockRestore()
      expect((await app.send('POST', '/tags', { id: 'next' })).status).toBe(201)
      expect(await agrees(app, saved)).toBe(true)
    })
  })

  describe('too few file descriptors', () => {
    // The first is that of the folder, which Windows cannot open.
    it.each(isWindows ? [1] : [1, 2])(
      'fail the change before it is made: at open number %i',
      async (number) => {
        const { app, folder, names, saved } = await begin()
        const real = fs.promises.open
        let calls = 0
        jest.spyOn(fs.promises, 'open').mockImplementation(async (...parameters) => {
          calls += 1
          if (calls === number) throw failure('EMFILE')
          return real(...parameters)
        })
        const answer = await app.send('POST', '/tags', { id: 'lost' })
        expect([answer.status, calls]).toEqual([500, number])
        expect(json(answer)).toEqual({ error: expect.stringContaining('EMFILE') })
        expect(saved()).toEqual(sampleData())
        expect(await agrees(app, saved)).toBe(true)
        expect((await readdir(folder)).sort()).toEqual(names)
      },
    )
  })

  describe('a file system on which closing fails', () => {
    it.each([
      ['every file', /./, 500],
      ['the folder', /^close (json-server-bearer-\w+|db)$/, 201],
    ])('changes nothing where the response is a failure: %s', async (_case, pattern, status) => {
      const { app, folder, names, saved } = await begin()
      const restore = await interceptFileCalls(folder, (call, proceed) => {
        const done = proceed()
        const isClosing = call.name.startsWith('close')
        if (!isClosing || !pattern.test(`close ${path.basename(call.file ?? '')}`)) return done
        if (done instanceof Promise) return done.then(() => Promise.reject(failure('EIO')))
        throw failure('EIO')
      })
      const answer = await app.send('POST', '/tags', { id: 'made' })
      restore()
      expect(answer.status).toBe(status)
      expect(JSON.stringify(saved()).includes('made')).toBe(status === 201)
      expect(await agrees(app, saved)).toBe(true)
      if (status === 500) expect(json(answer)).toEqual({ error: expect.stringContaining('EIO') })
      expect((await readdir(folder)).sort()).toEqual(names)
    })
  })

  describe('what fails after the file was replaced', () => {
    it.each([
      ['the renaming itself, which was made', 'renameSync', /\.saving-/, undefined],
      ['the look at the file that was replaced', 'statSync', /\.saving-/, /lost/],
      ['removing the lock', 'rmSync', /\.lock$/, /^Cannot remove/],
    ])('is a warning at most: %s', async (_case, name, pattern, warning) => {
      const { app, folder, names, saved } = await begin()
      let isReplaced = false
      const restore = await interceptFileCalls(folder, (call, proceed) => {
        const isRenaming = call.name === 'renameSync'
        const done = isRenaming ? proceed() : undefined
        isReplaced ||= isRenaming
        if (isReplaced && call.name === name && pattern.test(String(call.parameters[0]))) throw failure('EIO')
        return isRenaming ? done : proceed()
      })
      const answer = await app.send('POST', '/tags', { id: 'made' })
      restore()
      expect(answer.status).toBe(201)
      expect(JSON.stringify(saved())).toContain('made')
      expect(await agrees(app, saved)).toBe(true)
      expect(app.warn.mock.calls.map(([sentence]) => sentence)).toEqual(
        warning === undefined ? [] : [expect.stringMatching(warning)],
      )
      expect((await app.send('POST', '/tags', { id: 'next' })).status).toBe(201)
      expect((await readdir(folder)).sort()).toEqual(names)
    })
  })

  describe('a temporary file that cannot be removed', () => {
    it('does not fail the change that was made, and stays until the next start', async () => {
      const { app, folder, names, saved } = await begin()
      const failing = jest.spyOn(fs.promises, 'unlink').mockRejectedValue(failure('EACCES'))
      expect((await app.send('POST', '/tags', { id: 'made' })).status).toBe(201)
      failing.mockRestore()
      expect(await agrees(app, saved)).toBe(true)
      const [rest = ''] = (await readdir(folder)).filter((name) => !names.includes(name))
      expect(app.warn.mock.calls).toEqual([[expect.stringContaining(`${path.join(folder, rest)} (EACCES)`)]])
    })
  })

  describe.each(['EXDEV', 'EBUSY'])(
    'a file that is mounted by itself, so that the system says %s',
    (code) => {
      testOfUnix('is served, with one warning, and never written', async () => {
        const { saved, source } = await place()
        failFor('linkSync', /\.json/, code)
        failFor('renameSync', /\.json/, code)
        const app = await open(source)
        for (let count = 0; count < 2; count += 1) {
          const answer = await app.send('POST', '/tags', { id: 'lost' })
          expect(answer.status).toBe(503)
          expect(json(answer)).toEqual({
            error: expect.stringMatching(/not made, .*mounted/),
          })
        }
        expect(app.warn).toHaveBeenCalledTimes(1)
        expect(app.warn).toHaveBeenCalledWith(expect.stringMatching(/^No change .*mounted/))
        expect(saved()).toEqual(sampleData())
        expect(await agrees(app, saved)).toBe(true)
      })
    },
  )

  describe.each(['EPERM', 'ENOTSUP', 'EMLINK'])('a file system without hard links, which says %s', (code) => {
    it('is saved with one warning, also over what an editor saves at the same moment', async () => {
      const { file, folder, names, saved, source, text } = await place()
      failFor('linkSync', /\.json/, code)
      const app = await open(source)
      expect((await app.send('POST', '/tags', { id: 'one' })).status).toBe(201)
      expect(app.warn).toHaveBeenCalledTimes(1)
      expect(app.warn).toHaveBeenCalledWith(expect.stringMatching(/^No hard link .*\.json/))
      expect(await agrees(app, saved)).toBe(true)

      const theirs = text({ ...sampleData(), tags: [{ id: 'theirs' }] })
      const rename = fs.renameSync
      jest.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
        fs.writeFileSync(file, theirs)
        rename(from, to)
      })
      expect((await app.send('POST', '/tags', { id: 'two' })).status).toBe(201)
      expect(await agrees(app, saved)).toBe(true)
      expect((await readdir(folder)).sort()).toEqual(names)
    })
  })
})
