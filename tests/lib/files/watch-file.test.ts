import { writeFileSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { WATCH_INTERVAL, watchFile } from '../../../lib/files/watch-file'
import { tempFolders } from '../../support/data'
import { isWindows, testOfLinks } from '../../support/platform'

const newFolder = tempFolders()
const watchers: NodeJS.Timeout[] = []

/** Watches a file; `changed` waits for the next change that nobody has waited for. */
function watch(file: string) {
  let count = 0
  let announce: () => void = () => {}
  watchers.push(
    watchFile(file, () => {
      count += 1
      announce()
    }),
  )
  return {
    get count() {
      return count
    },
    async changed(): Promise<void> {
      while (count === 0) {
        await new Promise<void>((resolve) => {
          announce = resolve
        })
      }
      count = 0
    },
  }
}

async function newFile(): Promise<string> {
  const file = path.join(await newFolder(), 'file')
  await writeFile(file, 'start')
  return file
}

/** Points a link at another file: at one stroke, but for Windows, which renames no folder's link over another. */
async function point(link: string, target: string): Promise<void> {
  if (isWindows) await rm(link)
  await symlink(target, `${link}~`)
  await rename(`${link}~`, link)
}

afterEach(() => {
  jest.useRealTimers()
  for (const watcher of watchers.splice(0)) clearInterval(watcher)
})

describe('watchFile', () => {
  it('tells when a file is written, replaced, removed and made again', async () => {
    const file = await newFile()
    const watched = watch(file)
    for (const step of [
      () => writeFile(file, 'written'),
      () => writeFile(`${file}~`, 'replaced').then(() => rename(`${file}~`, file)),
      () => rm(file),
      () => writeFile(file, 'made again'),
    ]) {
      await step()
      await watched.changed()
    }
  })

  it('tells nothing of a file that an editor empties and fills, until it is filled', async () => {
    const file = await newFile()
    jest.useFakeTimers()
    const watched = watch(file)
    const counts = ['', 'filled', '', undefined, undefined].map((text) => {
      if (text !== undefined) writeFileSync(file, text)
      jest.advanceTimersByTime(WATCH_INTERVAL)
      return watched.count
    })
    // The one that stays empty is told of once.
    expect(counts).toEqual([0, 1, 1, 2, 2])
  })

  it('tells nothing of other files', async () => {
    const file = await newFile()
    const [watched, other] = [watch(file), watch(`${file}-other`)]
    await writeFile(`${file}-other`, 'written')
    await other.changed()
    expect(watched.count).toBe(0)
  })

  testOfLinks('tells when a link is pointed at another file, and then when that one changes', async () => {
    const [one, other] = [await newFile(), await newFile()]
    const link = path.join(await newFolder(), 'link')
    await symlink(one, link)
    const watched = watch(link)
    await writeFile(one, 'one')
    await watched.changed()
    await point(link, other)
    await watched.changed()
    await writeFile(other, 'changed')
    await watched.changed()
  })

  testOfLinks(
    'tells when the folder that a link leads through is exchanged, as in a mounted volume',
    async () => {
      const folder = await newFolder()
      for (const version of ['1', '2']) {
        await mkdir(path.join(folder, version))
        await writeFile(path.join(folder, version, 'file'), version)
      }
      await symlink('1', path.join(folder, 'current'))
      await symlink('current/file', path.join(folder, 'file'))
      const watched = watch(path.join(folder, 'file'))
      await point(path.join(folder, 'current'), '2')
      await watched.changed()
      await appendFile(path.join(folder, '2', 'file'), 'changed')
      await watched.changed()
    },
  )

  testOfLinks('tells when a file becomes a link to itself, and when it is a file again', async () => {
    const file = await newFile()
    const watched = watch(file)
    await point(file, file)
    await watched.changed()
    await rm(file)
    await watched.changed()
    await writeFile(file, 'a file again')
    await watched.changed()
  })
})
