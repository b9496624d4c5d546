import { constants } from 'node:buffer'
import fs, { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { WholeFile } from '../../../../lib/data/file/whole-file'
import { fileHandles, NO_PROCESS, tempFolders } from '../../../support/data'
import { testOfLinks, testOfModes, testOfUnix } from '../../../support/platform'
import { failure } from '../file-calls'

const newFolder = tempFolders()
const NEW = [Buffer.from('new')]
const CHANGED = { code: 'CHANGED' }
const warn = jest.fn()

async function newFile(): Promise<string> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, 'old')
  return file
}

afterEach(() => jest.restoreAllMocks())

describe('WholeFile', () => {
  it('replaces the text, says when, and leaves nothing beside the file', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    expect(whole.read().toString()).toBe('old')
    const seen: string[] = []
    await whole.replace([Buffer.from('new, '), Buffer.from('ä and 漢')], () =>
      seen.push(readFileSync(file, 'utf8')),
    )
    expect(seen).toEqual(['new, ä and 漢'])
    expect(whole.changedElsewhere).toBe(false)
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })

  testOfUnix(
    'syncs the new text before it takes the place of the old, and the folder before it returns',
    async () => {
      const file = await newFile()
      const whole = new WholeFile(file, warn)
      whole.read()
      const texts: string[] = []
      jest.spyOn(await fileHandles(), 'sync').mockImplementation(async () => {
        texts.push(readFileSync(file, 'utf8'))
      })
      await whole.replace(NEW, () => texts.push('replaced'))
      expect(texts).toEqual(['old', 'replaced', 'new'])
    },
  )

  it('does not take for its own what somebody else writes right after the replacement', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    const rename = fs.renameSync
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to)
      if (to === file) fs.writeFileSync(file, 'theirs, just afterwards')
    })
    await whole.replace(NEW, () => {})
    expect(whole.changedElsewhere).toBe(true)
    expect(whole.read().toString()).toBe('theirs, just afterwards')
  })

  it('gives back what somebody else writes right before the replacement', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    const rename = fs.renameSync
    jest.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      fs.writeFileSync(file, 'theirs, just before')
      rename(from, to)
    })
    const replaced = jest.fn()
    await expect(whole.replace(NEW, replaced)).rejects.toMatchObject(CHANGED)
    expect(replaced).not.toHaveBeenCalled()
    expect(readFileSync(file, 'utf8')).toBe('theirs, just before')
    expect(whole.changedElsewhere).toBe(true)
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })

  // On Windows, a file that is open there is not replaced.
  testOfUnix('never writes into the file itself: who has it open reads the old text to its end', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    const reader = await open(file)
    await whole.replace(NEW, () => {})
    expect(await reader.readFile('utf8')).toBe('old')
    await reader.close()
  })

  testOfModes('keeps the mode', async () => {
    const file = await newFile()
    await chmod(file, 0o640)
    const whole = new WholeFile(file, warn)
    whole.read()
    await whole.replace(NEW, () => {})
    expect((await stat(file)).mode & 0o777).toBe(0o640)
  })

  testOfLinks('keeps a symbolic link, and stages beside the file that it leads to', async () => {
    const file = await newFile()
    const link = path.join(await newFolder(), 'link.json')
    await symlink(file, link)
    const whole = new WholeFile(link, warn)
    whole.read()
    await whole.replace(NEW, () => {})
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(await readdir(path.dirname(link))).toEqual(['link.json'])
  })

  it.each([
    ['written in place', (file: string) => writeFile(file, 'foreign')],
    [
      'replaced by rename',
      async (file: string) => {
        await writeFile(`${file}~`, 'foreign')
        await rename(`${file}~`, file)
      },
    ],
  ])('does not replace a file that was %s since', async (_how, change) => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    await change(file)
    expect(whole.changedElsewhere).toBe(true)
    const onReplaced = jest.fn()
    await expect(whole.replace(NEW, onReplaced)).rejects.toMatchObject(CHANGED)
    expect(onReplaced).not.toHaveBeenCalled()
    expect(readFileSync(file, 'utf8')).toBe('foreign')
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
    expect(whole.read().toString()).toBe('foreign')
    await whole.replace(NEW, onReplaced)
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('does not replace a file that is changed in the middle of its own writing', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    jest.spyOn(await fileHandles(), 'sync').mockImplementation(async () => writeFileSync(file, 'foreign'))
    await expect(whole.replace(NEW, () => {})).rejects.toMatchObject(CHANGED)
    expect(readFileSync(file, 'utf8')).toBe('foreign')
  })

  it('sees a change that is made while it reads', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    jest.spyOn(fs, 'readFileSync').mockImplementationOnce(() => {
      writeFileSync(file, 'foreign')
      return Buffer.from('old')
    })
    whole.read()
    expect(whole.changedElsewhere).toBe(true)
    await expect(whole.replace(NEW, () => {})).rejects.toMatchObject(CHANGED)
    expect(readFileSync(file, 'utf8')).toBe('foreign')
  })

  it('sees that the file was removed, and does not bring it back', async () => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    await rm(file)
    expect(whole.changedElsewhere).toBe(true)
    await expect(whole.replace(NEW, () => {})).rejects.toMatchObject(CHANGED)
    expect(existsSync(file)).toBe(false)
  })

  it('reads no text that is longer than a string can be', async () => {
    const file = await newFile()
    await truncate(file, constants.MAX_STRING_LENGTH + 1)
    expect(() => new WholeFile(file, warn).read()).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  })

  it.each(['ENOSPC', 'EIO'])('leaves the file as it was when the disk fails with %s', async (code) => {
    const file = await newFile()
    const whole = new WholeFile(file, warn)
    whole.read()
    const failing = jest.spyOn(await fileHandles(), 'sync').mockRejectedValue(failure(code))
    await expect(whole.replace(NEW, () => {})).rejects.toMatchObject({ code })
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
    failing.mockRestore()
    await whole.replace(NEW, () => {})
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('holds the text of the one that succeeded when two write the same file at once', async () => {
    const file = await newFile()
    for (let round = 0; round < 20; round += 1) {
      const writers = [new WholeFile(file, warn), new WholeFile(file, warn)]
      for (const writer of writers) writer.read()
      const successful: string[] = []
      await Promise.allSettled(
        writers.map((writer, index) => {
          const text = `round ${round}, writer ${index}`
          return writer.replace([Buffer.from(text)], () => {}).then(() => successful.push(text))
        }),
      )
      expect([readFileSync(file, 'utf8')]).toEqual(successful)
    }
  })
})

describe('two WholeFiles in one process, while a third party holds the lock', () => {
  it('put nobody else’s text in place as their own', async () => {
    const file = await newFile()
    const writers = [new WholeFile(file, warn), new WholeFile(file, warn)]
    for (const writer of writers) writer.read()
    writeFileSync(`${file}.lock`, '')
    let staged = 0
    jest.spyOn(await fileHandles(), 'sync').mockImplementation(async () => {
      staged += 1
      if (staged === writers.length) setImmediate(() => rmSync(`${file}.lock`))
    })
    const successful: string[] = []
    await Promise.allSettled(
      writers.map((writer, index) =>
        writer
          .replace([Buffer.from(`writer ${index}`)], () => {})
          .then(() => successful.push(`writer ${index}`)),
      ),
    )
    expect([readFileSync(file, 'utf8')]).toEqual(successful)
  })
})

describe('prepare', () => {
  it('removes what a dead process has left, and nothing else', async () => {
    const file = await newFile()
    const staged = `${file}.saving-${NO_PROCESS}`
    // A container gives every process that it starts the same id.
    const sameId = `${file}.saving-${process.pid}-00000000-1`
    const running = `${file}.saving-${process.ppid}`
    const others = [
      ...[running, `${file}.bak`, `${file}.saving-mine`],
      path.join(path.dirname(file), 'other.json.saving-1'),
    ]
    for (const name of [staged, `${staged}.123456`, sameId, ...others]) await writeFile(name, '')
    await mkdir(path.join(path.dirname(file), 'folder'))
    new WholeFile(file, warn).prepare()
    expect((await readdir(path.dirname(file))).sort()).toEqual(
      [file, ...others, 'folder'].map((name) => path.basename(name)).sort(),
    )
    expect(readFileSync(file, 'utf8')).toBe('old')
  })

  /** Only root can become another user. */
  const testOfRoot = process.geteuid?.() === 0 ? test : test.skip

  testOfRoot.each([0o644, 0o666])(
    "says once that another user's file of mode %o, in a folder with the sticky bit, cannot be replaced, and leaves nothing there",
    async (mode) => {
      const file = await newFile()
      const folder = path.dirname(file)
      fs.chmodSync(folder, 0o1777)
      fs.chmodSync(file, mode)
      const told = jest.fn()
      const whole = new WholeFile(file, told)
      process.seteuid?.(65_534)
      try {
        whole.read()
        expect(whole.prepare()).toBe(false)
        for (let count = 0; count < 3; count += 1)
          await expect(whole.replace(NEW, () => {})).rejects.toMatchObject({ code: 'NOT_OURS' })
      } finally {
        process.seteuid?.(0)
      }
      expect(await readdir(folder)).toEqual([path.basename(file)])
      expect(told.mock.calls).toEqual([[expect.stringContaining('--in-memory')]])
    },
  )

  testOfRoot('in such a folder, a file can be replaced once it was given to this user', async () => {
    const file = await newFile()
    const folder = path.dirname(file)
    fs.chmodSync(folder, 0o1777)
    const whole = new WholeFile(file, warn)
    whole.read()
    process.seteuid?.(65_534)
    expect(whole.prepare()).toBe(false)
    process.seteuid?.(0)
    fs.chownSync(file, 65_534, 0)
    process.seteuid?.(65_534)
    try {
      await whole.replace(NEW, () => {})
    } finally {
      process.seteuid?.(0)
    }
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual([path.basename(file)])
  })

  testOfRoot('in such a folder, a file of this user can be replaced', async () => {
    const file = await newFile()
    const folder = path.dirname(file)
    fs.chmodSync(folder, 0o1777)
    fs.chownSync(file, 65_534, 0)
    const told = jest.fn()
    const whole = new WholeFile(file, told)
    process.seteuid?.(65_534)
    try {
      whole.read()
      expect(whole.prepare()).toBe(true)
      await whole.replace(NEW, () => {})
    } finally {
      process.seteuid?.(0)
    }
    expect(await readdir(folder)).toEqual([path.basename(file)])
    expect(told).not.toHaveBeenCalled()
  })
})
