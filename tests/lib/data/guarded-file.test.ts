import fs, { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ChangedElsewhereError, removeLeftovers, TextFile } from '../../../lib/data/guarded-file'
import { NO_PROCESS, tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()
const NEW = Buffer.from('new')

async function newFile(text = 'old'): Promise<string> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, text)
  return file
}

afterEach(() => jest.restoreAllMocks())

describe('TextFile', () => {
  it('replaces the text, says when, and leaves nothing beside the file', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    expect(textFile.read().toString()).toBe('old')
    const seen: string[] = []
    await textFile.replace(Buffer.from('new, ä and 漢'), () => seen.push(readFileSync(file, 'utf8')))
    expect(seen).toEqual(['new, ä and 漢'])
    expect(textFile.changedElsewhere).toBe(false)
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })

  it('syncs the new text before it takes the place of the old, and the folder before it returns', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const texts: string[] = []
    const fsync = fs.fsync
    jest.spyOn(fs, 'fsync').mockImplementation((descriptor, done) => {
      texts.push(readFileSync(file, 'utf8'))
      fsync(descriptor, done)
    })
    await textFile.replace(NEW, () => texts.push('replaced'))
    expect(texts).toEqual(['old', 'replaced'])
  })

  it('takes nothing for its own that somebody else writes right after the replacement', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const rename = fs.renameSync
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      rename(from, to)
      if (to === file) fs.writeFileSync(file, 'theirs, just afterwards')
    })
    await textFile.replace(NEW, () => {})
    expect(textFile.changedElsewhere).toBe(true)
    expect(textFile.read().toString()).toBe('theirs, just afterwards')
  })

  it('gives back what somebody else writes right before the replacement', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const rename = fs.renameSync
    jest.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
      fs.writeFileSync(file, 'theirs, just before')
      rename(from, to)
    })
    const replaced = jest.fn()
    await expect(textFile.replace(NEW, replaced)).rejects.toThrow(ChangedElsewhereError)
    expect(replaced).not.toHaveBeenCalled()
    expect(readFileSync(file, 'utf8')).toBe('theirs, just before')
    expect(textFile.changedElsewhere).toBe(true)
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
  })

  it('never writes into the file itself: whoever has it open reads the old text to its end', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const reader = await open(file)
    await textFile.replace(NEW, () => {})
    expect(await reader.readFile('utf8')).toBe('old')
    await reader.close()
  })

  it('keeps the mode', async () => {
    const file = await newFile()
    await chmod(file, 0o640)
    const textFile = new TextFile(file)
    textFile.read()
    await textFile.replace(NEW, () => {})
    expect((await stat(file)).mode & 0o777).toBe(0o640)
  })

  it('keeps a symbolic link, and stages beside the file that it leads to', async () => {
    const file = await newFile()
    const link = path.join(await newFolder(), 'link.json')
    await symlink(file, link)
    const textFile = new TextFile(link)
    textFile.read()
    await textFile.replace(NEW, () => {})
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
    const textFile = new TextFile(file)
    textFile.read()
    await change(file)
    expect(textFile.changedElsewhere).toBe(true)
    const onReplaced = jest.fn()
    await expect(textFile.replace(NEW, onReplaced)).rejects.toBeInstanceOf(ChangedElsewhereError)
    expect(onReplaced).not.toHaveBeenCalled()
    expect(readFileSync(file, 'utf8')).toBe('foreign')
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
    expect(textFile.read().toString()).toBe('foreign')
    await textFile.replace(NEW, onReplaced)
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('does not replace a file that is changed in the middle of its own writing', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const fsync = fs.fsync
    jest.spyOn(fs, 'fsync').mockImplementation((descriptor, done) => {
      writeFileSync(file, 'foreign')
      fsync(descriptor, done)
    })
    await expect(textFile.replace(NEW, () => {})).rejects.toBeInstanceOf(ChangedElsewhereError)
    expect(readFileSync(file, 'utf8')).toBe('foreign')
  })

  it('sees that the file was removed, and does not bring it back', async () => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    await rm(file)
    expect(textFile.changedElsewhere).toBe(true)
    await expect(textFile.replace(NEW, () => {})).rejects.toThrow('ENOENT')
    expect(existsSync(file)).toBe(false)
  })

  it.each(['ENOSPC', 'EIO'])('leaves the file as it was when the disk answers %s', async (code) => {
    const file = await newFile()
    const textFile = new TextFile(file)
    textFile.read()
    const failing = jest.spyOn(fs, 'fsync').mockImplementation((_descriptor, done) => {
      done(Object.assign(new Error(`${code}: fsync`), { code }))
    })
    await expect(textFile.replace(NEW, () => {})).rejects.toMatchObject({ code })
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(await readdir(path.dirname(file))).toEqual(['db.json'])
    failing.mockRestore()
    await textFile.replace(NEW, () => {})
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  it('holds the text of the one that succeeded when two write the same file at once', async () => {
    const file = await newFile()
    for (let round = 0; round < 20; round += 1) {
      const writers = [new TextFile(file), new TextFile(file)]
      for (const writer of writers) writer.read()
      const successful: string[] = []
      await Promise.allSettled(
        writers.map((writer, index) => {
          const text = `round ${round}, writer ${index}`
          return writer.replace(Buffer.from(text), () => {}).then(() => successful.push(text))
        }),
      )
      expect([readFileSync(file, 'utf8')]).toEqual(successful)
    }
  })
})

describe('two TextFiles in one process, while a third party holds the lock', () => {
  it('put nobody else’s text in place as their own', async () => {
    const file = await newFile()
    const writers = [new TextFile(file), new TextFile(file)]
    for (const writer of writers) writer.read()
    writeFileSync(`${file}.lock`, '')
    let staged = 0
    const rename = fs.rename
    jest.spyOn(fs, 'rename').mockImplementation((from, to, done) => {
      rename(from, to, (error) => {
        done(error)
        staged += 1
        if (staged === writers.length) setImmediate(() => rmSync(`${file}.lock`))
      })
    })
    const successful: string[] = []
    await Promise.allSettled(
      writers.map((writer, index) =>
        writer
          .replace(Buffer.from(`writer ${index}`), () => {})
          .then(() => successful.push(`writer ${index}`)),
      ),
    )
    expect([readFileSync(file, 'utf8')]).toEqual(successful)
  })
})

describe('removeLeftovers', () => {
  it('removes what a dead process has left, and nothing else', async () => {
    const file = await newFile()
    const staged = `${file}.saving-${NO_PROCESS}`
    const running = `${file}.saving-${process.ppid}`
    const others = [`${file}.bak`, path.join(path.dirname(file), 'other.json.saving-1'), running]
    for (const name of [staged, `${staged}.123456`, ...others]) await writeFile(name, '')
    await mkdir(path.join(path.dirname(file), 'folder'))
    removeLeftovers(file)
    expect((await readdir(path.dirname(file))).sort()).toEqual(
      [file, ...others, 'folder'].map((name) => path.basename(name)).sort(),
    )
    expect(readFileSync(file, 'utf8')).toBe('old')
  })
})
