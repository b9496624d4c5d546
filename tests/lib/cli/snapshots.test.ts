import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { takeSnapshotsOnKey } from '../../../lib/cli/snapshots'
import { MemoryData } from '../../../lib/data/data-source'
import { sampleData, tempFolders } from '../../support/data'
import { testOfModes } from '../../support/platform'

const newFolder = tempFolders()
afterEach(() => jest.restoreAllMocks())

/** Types text into a server, and waits for what it says. */
function type(text: string, source: string, folder: string): Promise<string> {
  const input = new PassThrough()
  return new Promise((report) => {
    const data = new MemoryData(sampleData())
    jest.spyOn(console, 'error').mockImplementation((sentence) => report(`Failure: ${sentence}`))
    takeSnapshotsOnKey(data, { snapshots: folder, source }, report, input)
    input.write(text)
  })
}

it('does not end the process when nothing can be read, as when its terminal is gone', () => {
  const input = new PassThrough()
  takeSnapshotsOnKey(new MemoryData({}), { snapshots: '.', source: 'db.json' }, () => {}, input)
  expect(() => input.emit('error', new Error('read EIO'))).not.toThrow()
})

describe('a snapshot', () => {
  testOfModes.each([0o600, 0o640, 0o644])(
    'holds the data, and can be read by whoever can read their file: %o',
    async (mode) => {
      const [folder, source] = [await newFolder(), path.join(await newFolder(), 'db.json')]
      await writeFile(source, '{}')
      await chmod(source, mode)
      expect(await type('s\n', source, folder)).not.toMatch(/^Failure/)
      const [name = ''] = await readdir(folder)
      const snapshot = path.join(folder, name)
      expect((await stat(snapshot)).mode & 0o777).toBe(mode)
      expect(await readFile(snapshot, 'utf8')).toBe(JSON.stringify(sampleData(), null, 2))
    },
  )

  testOfModes.each([
    ['no file', async () => 'http://localhost/db'],
    ['a folder', newFolder],
  ])('can be read by us only when the data comes from %s', async (_what, source) => {
    const folder = await newFolder()
    expect(await type('S\n', await source(), folder)).not.toMatch(/^Failure/)
    const [name = ''] = await readdir(folder)
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600)
  })

  it('that has no folder any more is a failure', async () => {
    const folder = path.join(await newFolder(), 'gone')
    expect(await type('s\n', 'db.json', folder)).toMatch(/^Failure: .+ENOENT/)
  })

  it('replaces no file', async () => {
    const folder = await newFolder()
    jest.spyOn(Date, 'now').mockReturnValue(1)
    await writeFile(path.join(folder, 'db-1.json'), 'as it was')
    expect(await type('s', 'db.json', folder)).toMatch(/^Failure: .+EEXIST/)
    expect(await readFile(path.join(folder, 'db-1.json'), 'utf8')).toBe('as it was')
  })
})
