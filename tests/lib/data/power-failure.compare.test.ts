import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DataFile } from '../../../lib/data/data-file'
import { FolderData } from '../../../lib/data/folder-data'
import { NO_PROCESS, tempFolders } from '../../support/data'
import { testOfUnix } from '../../support/platform'
import { failure, interceptFileCalls } from './file-calls'
import { type FolderTexts, RecordedDisk } from './recorded-disk'

const newFolder = tempFolders()

const OLD = { tags: [{ id: 'old' }] }

/** A data file whose calls to the file system are recorded. */
class Recording {
  /** What a server that is started after a power failure may find, as long as nothing else is said. */
  allowed: readonly object[] = [OLD]
  /** The name of a call that fails, and the code of its error. */
  failing?: { call: string; code: string }
  /** Everything that may be found, and what is allowed there, in the order of the calls. */
  readonly moments: { found: FolderTexts; allowed: readonly object[] }[] = []
  readonly #disk: RecordedDisk

  readonly data: DataFile

  private constructor(data: DataFile, folder: string) {
    this.data = data
    this.#disk = new RecordedDisk(folder, { 'db.json': JSON.stringify(OLD) })
  }

  static async begin(): Promise<{ recording: Recording; end: () => Promise<void> }> {
    const folder = await newFolder()
    const file = path.join(folder, 'db.json')
    await writeFile(file, JSON.stringify(OLD))
    const recording = new Recording(DataFile.open(file, { warn: () => {} }), folder)
    const restore = await interceptFileCalls(folder, (call, proceed) => {
      const { failing } = recording
      if (
        failing !== undefined &&
        `${call.name} ${path.basename(call.file ?? '')}`.startsWith(failing.call)
      ) {
        recording.failing = undefined
        throw failure(failing.code)
      }
      const done = proceed()
      const note = <Result>(result: Result): Result => {
        recording.#disk.record(call)
        recording.look()
        return result
      }
      return done instanceof Promise ? done.then(note) : note(done)
    })
    return {
      recording,
      async end() {
        restore()
        await recording.data.close()
      },
    }
  }

  look(): void {
    const { allowed } = this
    for (const found of this.#disk.afterPowerFailure()) this.moments.push({ found, allowed })
  }

  /** Adds tags, one commit each, all in one tick. */
  async add(...ids: string[]): Promise<void> {
    await Promise.all(
      ids.map((id) => {
        const { state } = this.data
        return this.data.commit({ ...state, tags: [...[state.tags].flat(), { id }] })
      }),
    )
  }
}

/** A server that starts on each of them finds allowed data, and cleans up beside it. */
async function startOnEach({ moments }: Recording): Promise<number> {
  const texts = new Map(moments.map((moment) => [JSON.stringify(moment), moment]))
  const parent = await newFolder()
  for (const { found, allowed } of texts.values()) {
    const folder = path.join(parent, 'folder')
    await mkdir(folder)
    for (const [name, text] of Object.entries(found)) {
      // The process that made it has ended.
      const file = path.join(folder, name.replace(`.saving-${process.pid}`, `.saving-${NO_PROCESS}`))
      await writeFile(file, text)
    }
    const data = DataFile.open(path.join(folder, 'db.json'))
    const isAllowed = allowed.some((possible) => isDeepStrictEqual(data.state, possible))
    expect({ found, served: data.state, isAllowed }).toMatchObject({ isAllowed: true })
    await data.close()
    // The next write takes over a lock.
    const left = (await readdir(folder)).filter((name) => name !== 'db.json.lock')
    expect(left).toEqual(['db.json'])
    await rm(folder, { recursive: true })
  }
  return texts.size
}

function tags(...ids: string[]): object {
  return { tags: ids.map((id) => ({ id })) }
}

describe('a power failure at any moment of a write', () => {
  testOfUnix('leaves the old data or the new, and after the commit the new', async () => {
    const { recording, end } = await Recording.begin()
    for (const [id, before, after] of [
      ['first', OLD, tags('old', 'first')],
      ['second', tags('old', 'first'), tags('old', 'first', 'second')],
    ] as const) {
      recording.allowed = [before, after]
      await recording.add(id)
      recording.allowed = [after]
      recording.look()
    }
    await end()
    expect(await startOnEach(recording)).toBeGreaterThan(30)
  })

  testOfUnix('leaves both of two changes that are written together, or neither', async () => {
    const { recording, end } = await Recording.begin()
    const both = tags('old', 'first', 'second')
    recording.allowed = [OLD, both]
    await recording.add('first', 'second')
    recording.allowed = [both]
    recording.look()
    await end()
    await startOnEach(recording)
  })

  testOfUnix.each([
    ['writev', 'ENOSPC'],
    ['sync db.json.saving-', 'EIO'],
    ['renameSync', 'EIO'],
  ])('leaves the old data where the write fails (%s: %s), and the new after the next', async (call, code) => {
    const { recording, end } = await Recording.begin()
    recording.failing = { call, code }
    await expect(recording.add('lost')).rejects.toThrow(code)
    recording.look()
    recording.allowed = [OLD, tags('old', 'next')]
    await recording.add('next')
    recording.allowed = [tags('old', 'next')]
    recording.look()
    await end()
    await startOnEach(recording)
  })

  testOfUnix(
    'leaves the old data or the new where only the folder was not synced, as the error says',
    async () => {
      const { recording, end } = await Recording.begin()
      recording.allowed = [OLD, tags('old', 'first')]
      recording.failing = { call: 'sync json-server-bearer-', code: 'EIO' }
      await expect(recording.add('first')).rejects.toThrow('power failure')
      recording.look()
      await end()
      await startOnEach(recording)
    },
  )
})

describe('a power failure at any moment of a change of two files', () => {
  testOfUnix('leaves each of them whole, old or new, and after the commit both new', async () => {
    const folder = await newFolder()
    const old = { 'comments.json': '[{"id":1,"postId":1}]', 'posts.json': '[{"id":1}]' }
    for (const [name, text] of Object.entries(old)) await writeFile(path.join(folder, name), text)
    const data = FolderData.open(folder, { warn: () => {} })
    const disk = new RecordedDisk(folder, old)
    const found: FolderTexts[] = []
    const restore = await interceptFileCalls(folder, (call, proceed) => {
      const done = proceed()
      const note = <Result>(result: Result): Result => {
        disk.record(call)
        found.push(...disk.afterPowerFailure())
        return result
      }
      return done instanceof Promise ? done.then(note) : note(done)
    })
    await data.commit({ comments: [], posts: [] })
    restore()
    await data.close()
    for (const [name, text] of Object.entries(old))
      expect([...new Set(found.map((texts) => texts[name]))].sort()).toEqual(['[]', text])
    for (const texts of disk.afterPowerFailure())
      expect(texts).toMatchObject({ 'comments.json': '[]', 'posts.json': '[]' })
  })
})
