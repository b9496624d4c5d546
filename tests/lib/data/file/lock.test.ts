import fs, { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withLock } from '../../../../lib/data/file/lock'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()
const warn = jest.fn()

describe('withLock', () => {
  it('runs the action and lets go of the lock', async () => {
    const folder = await newFolder()
    const action = jest.fn()
    await withLock(path.join(folder, 'lock'), action, warn)
    expect(action).toHaveBeenCalledTimes(1)
    expect(await readdir(folder)).toEqual([])
  })

  it('lets go of the lock when the action fails', async () => {
    const folder = await newFolder()
    const failing = withLock(
      path.join(folder, 'lock'),
      () => {
        throw new Error('no luck')
      },
      warn,
    )
    await expect(failing).rejects.toThrow('no luck')
    expect(await readdir(folder)).toEqual([])
  })

  it('has run the action, and warns, when the lock cannot be removed', async () => {
    const lock = path.join(await newFolder(), 'lock')
    const removing = jest.spyOn(fs, 'rmSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('no luck'), { code: 'EIO' })
    })
    const action = jest.fn()
    await withLock(lock, action, warn)
    expect(action).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${lock} (EIO)`)]])
    removing.mockRestore()
  })

  it('waits while another process holds the lock', async () => {
    const lock = path.join(await newFolder(), 'lock')
    const log: string[] = []
    writeFileSync(lock, '')
    const waiting = withLock(lock, () => log.push('action'), warn)
    log.push('released')
    rmSync(lock)
    await waiting
    expect(log).toEqual(['released', 'action'])
  })

  it('waits for servers that hold the lock one after another, however long all of them take', async () => {
    const lock = path.join(await newFolder(), 'lock')
    const holders = ['one', 'second', 'a third', 'the fourth']
    writeFileSync(lock, '')
    let now = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      const next = holders.shift()
      if (next !== undefined) {
        // Fails where the lock was taken from its holder.
        rmSync(lock)
        writeFileSync(lock, next)
      }
      now += 600
      return now
    })
    const action = jest.fn()
    await withLock(lock, action, warn).finally(() => clock.mockRestore())
    expect([holders, action.mock.calls.length]).toEqual([[], 1])
  })

  it('takes over a lock that a killed process has left, after a second', async () => {
    const folder = await newFolder()
    const lock = path.join(folder, 'lock')
    await writeFile(lock, '')
    let now = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 400
      return now
    })
    const action = jest.fn()
    await withLock(lock, action, warn).finally(() => clock.mockRestore())
    expect(action).toHaveBeenCalledTimes(1)
    // It was first seen at 400.
    expect(now).toBe(1600)
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves an abandoned lock to the process that has taken it over first', async () => {
    const folder = await newFolder()
    const lock = path.join(folder, 'lock')
    writeFileSync(lock, 'abandoned')
    let now = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 400
      // Another process takes it over at the moment at which this one finds it abandoned.
      if (now === 1600) writeFileSync(lock, 'taken over')
      // Fails where the lock was taken from its holder.
      if (now === 2400) rmSync(lock)
      return now
    })
    const action = jest.fn()
    await withLock(lock, action, warn).finally(() => clock.mockRestore())
    expect(action).toHaveBeenCalledTimes(1)
    expect(now).toBe(2400)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['its folder is missing', 'missing/lock', 'ENOENT'],
    ['its name is taken by a folder', 'folder', 'EISDIR'],
  ])('fails, and does not run the action, when %s', async (_case, name, code) => {
    const folder = await newFolder()
    await mkdir(path.join(folder, 'folder'))
    let now = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 400
      return now
    })
    const action = jest.fn()
    const failing = withLock(path.join(folder, name), action, warn).finally(() => clock.mockRestore())
    await expect(failing).rejects.toThrow(code)
    expect(action).not.toHaveBeenCalled()
  })
})
