import fs, { writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DataFile, type DataFileOptions } from '../../../lib/data/data-file'
import { fileHandles, tempFolders } from '../../support/data'

const newFolder = tempFolders()
const opened: DataFile[] = []

afterEach(async () => {
  jest.restoreAllMocks()
  for (const data of opened.splice(0)) await data.close()
})

async function open(options?: DataFileOptions): Promise<{ file: string; data: DataFile }> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, '{"tags": []}')
  const data = DataFile.open(file, options)
  opened.push(data)
  return { file, data }
}

describe('what a data file reports to the program that embeds it', () => {
  it.each([
    { title: 'an error of the system, without its stack', code: 'EIO', hasStack: false },
    { title: 'any other error, with its stack', code: undefined, hasStack: true },
  ])('goes to the function that was given, and is not printed: $title', async ({ code, hasStack }) => {
    const printed = (['warn', 'error'] as const).map((name) => jest.spyOn(console, name))
    const warn = jest.fn()
    const { file, data } = await open({ warn })
    const cause = Object.assign(new Error('no luck'), { code })
    jest.spyOn(await fileHandles(), 'sync').mockRejectedValue(cause)
    await expect(data.commit(data.state)).rejects.toThrow(`(${code ?? 'no luck'})`)
    expect(warn.mock.calls).toEqual([[`Cannot write ${file}: no luck.`, ...(hasStack ? [cause] : [])]])
    for (const print of printed) expect(print).not.toHaveBeenCalled()
  })

  it('goes to the warnings of Node if no function was given, even while it opens', async () => {
    jest.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw Object.assign(new Error('no links'), { code: 'EPERM' })
    })
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation()
    await open()
    expect(emitWarning.mock.calls).toEqual([
      [expect.stringMatching(/^No hard link .*db\.json/), { detail: undefined }],
    ])
  })

  it.each([
    ['no longer JSON', (file: string) => writeFile(file, 'oops'), /db\.json .* line 1/],
    // It is looked for again and again.
    ['gone', (file: string) => rm(file), /db\.json .*exist/],
  ])(
    'is a warning when the file is %s and nobody listens to that, and once only',
    async (_how, spoil, why) => {
      const warn = jest.fn()
      const { file, data } = await open({ warn })
      await spoil(file)
      await expect(data.refresh()).rejects.toThrow(why)
      await expect(data.refresh()).rejects.toThrow(why)
      expect(warn.mock.calls).toEqual([[expect.stringMatching(why)]])
    },
  )

  it('is nothing of a file that an editor empties and fills', async () => {
    const warn = jest.fn()
    const { file, data } = await open({ warn })
    writeFileSync(file, '')
    await expect(data.refresh()).rejects.toThrow(/db\.json is empty/)
    writeFileSync(file, '{"tags": [{"id": 1}]}')
    await data.refresh()
    expect([data.state, warn.mock.calls]).toEqual([{ tags: [{ id: 1 }] }, []])
  })

  it('is said to have ended when an editor empties the file in between, and not said again before', async () => {
    const { file, data } = await open()
    const told: string[] = []
    for (const event of ['unusable', 'reload'] as const) data.on(event, () => told.push(event))
    for (const text of ['oops', '', 'oops', '', '{"tags": []}']) {
      writeFileSync(file, text)
      await data.refresh().catch(() => {})
    }
    expect(told).toEqual(['unusable', 'reload'])
  })

  it('is a warning in a moment of a file that stays empty, and once only', async () => {
    const said = new Promise((resolve) => {
      open({ warn: resolve }).then(({ file }) => writeFileSync(file, ''))
    })
    expect(await said).toMatch(/db\.json is empty/)
  })

  it('is an event, and no warning, when somebody listens to it', async () => {
    const warn = jest.fn()
    const { file, data } = await open({ warn })
    const listener = jest.fn()
    data.on('unusable', listener)
    await writeFile(file, 'oops')
    await expect(data.refresh()).rejects.toThrow(/db\.json .*JSON/)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(warn).not.toHaveBeenCalled()
  })
})
