import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createFile } from '../../../../lib/data/file/create-file'
import { fileHandles, tempFolders } from '../../../support/data'
import { testOfLinks, testOfModes } from '../../../support/platform'

const newFolder = tempFolders()
const warn = jest.fn()
const TEXT = Buffer.from('a text, ä and 漢')
const PIECES = [TEXT.subarray(0, 3), TEXT.subarray(3, 5), TEXT.subarray(5)]

afterEach(() => jest.restoreAllMocks())

describe('createFile', () => {
  testOfModes('makes a file that only we may read', async () => {
    const file = path.join(await newFolder(), 'new')
    await createFile(file, PIECES, { warn })
    expect(await readFile(file)).toEqual(TEXT)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  testOfModes.each([0o600, 0o640, 0o666])(
    'gives it the mode of its model, whatever the umask: %o',
    async (mode) => {
      const folder = await newFolder()
      const model = path.join(folder, 'model')
      await writeFile(model, '')
      await chmod(model, mode)
      const file = path.join(folder, 'new')
      await createFile(file, PIECES, { model: await stat(model), warn })
      expect((await stat(file)).mode & 0o777).toBe(mode)
    },
  )

  it('gives it the owner of its model', async () => {
    const folder = await newFolder()
    const chown = jest.spyOn(await fileHandles(), 'chown').mockResolvedValue()
    const model = Object.assign(await stat(folder), { uid: 12, gid: 34 })
    await createFile(path.join(folder, 'new'), PIECES, { model, warn })
    expect(chown.mock.calls).toEqual([[12, 34]])
  })

  it('leaves it to this user where the system allows no other owner', async () => {
    const folder = await newFolder()
    jest
      .spyOn(await fileHandles(), 'chown')
      .mockRejectedValue(Object.assign(new Error('no right'), { code: 'EPERM' }))
    const file = path.join(folder, 'new')
    await createFile(file, PIECES, { model: await stat(folder), warn })
    expect(await readFile(file)).toEqual(TEXT)
  })

  it('writes the rest if the system took only a part of the text', async () => {
    const handles = await fileHandles()
    const { writev } = handles
    const lengths: number[] = []
    jest.spyOn(handles, 'writev').mockImplementation(async function (this: typeof handles, buffers) {
      const part = Buffer.concat(
        buffers.map((buffer) => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)),
      ).subarray(0, 4)
      lengths.push(part.length)
      return writev.call(this, [part])
    })
    const file = path.join(await newFolder(), 'new')
    await createFile(file, PIECES, { warn })
    expect(await readFile(file)).toEqual(TEXT)
  })

  it.each(['writev', 'sync', 'chmod'] as const)('leaves nothing when %s fails', async (step) => {
    const folder = await newFolder()
    const model = await stat(folder)
    jest.spyOn(await fileHandles(), step).mockRejectedValue(new Error('no luck'))
    await expect(createFile(path.join(folder, 'new'), PIECES, { model, warn })).rejects.toThrow('no luck')
    expect(await readdir(folder)).toEqual([])
  })

  testOfLinks('writes through no link, and over no file, that is there already', async () => {
    const folder = await newFolder()
    const victim = path.join(folder, 'victim')
    await writeFile(victim, 'as it was')
    for (const [name, target] of [
      ['link', victim],
      ['dangling', path.join(folder, 'nothing')],
    ] as const) {
      const file = path.join(folder, name)
      await symlink(target, file)
      await expect(createFile(file, PIECES, { warn })).rejects.toThrow('EEXIST')
    }
    await expect(createFile(victim, PIECES, { warn })).rejects.toThrow('EEXIST')
    expect(await readFile(victim, 'utf8')).toBe('as it was')
    expect((await readdir(folder)).sort()).toEqual(['dangling', 'link', 'victim'])
  })
})
