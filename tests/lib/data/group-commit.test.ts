import { NotDurableError } from '../../../lib/data/file/file-errors'
import { groupCommit } from '../../../lib/data/group-commit'

/** A store whose writes end when the test says so. */
function controlledStore() {
  const log: string[] = []
  const writes: { resolve: () => void; reject: (error: Error) => void }[] = []
  let announce: () => void = () => {}
  const commits = groupCommit({
    write: () =>
      new Promise((resolve, reject) => {
        log.push('write')
        writes.push({ resolve, reject })
        announce()
      }),
    rollBack: () => log.push('roll back'),
  })
  return {
    commits,
    log,
    /** Waits until a write is under way and gives it into the hands of the test. */
    async nextWrite() {
      if (writes.length === 0) {
        await new Promise<void>((resolve) => {
          announce = resolve
        })
      }
      const write = writes.shift()
      if (write === undefined) throw new Error('No write is under way.')
      return write
    },
  }
}

describe('groupCommit', () => {
  it('writes once for all commits of one tick', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const waiting = Promise.all(Array.from({ length: 32 }, () => commits.commit()))
    ;(await nextWrite()).resolve()
    await waiting
    expect(log).toEqual(['write'])
  })

  it('lets the commits during a write wait for the next one, together', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const first = commits.commit().then(() => log.push('first'))
    const write = await nextWrite()
    const second = commits.commit().then(() => log.push('second'))
    const third = commits.commit().then(() => log.push('third'))
    write.resolve()
    await first
    const nextOne = await nextWrite()
    expect(log).toEqual(['write', 'first', 'write'])
    nextOne.resolve()
    await Promise.all([second, third])
    expect(log).toEqual(['write', 'first', 'write', 'second', 'third'])
  })

  it('rolls back once, before anybody learns of the failure, and rejects what was built on it', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const held = commits.commit().catch((error) => log.push(`held: ${error.message}`))
    const write = await nextWrite()
    const queued = commits.commit().catch((error) => log.push(`queued: ${error.message}`))
    write.reject(new Error('disk full'))
    await Promise.all([held, queued])
    expect(log.slice(0, 2)).toEqual(['write', 'roll back'])
    expect(log.slice(2).sort()).toEqual(['held: disk full', 'queued: disk full'])
  })

  it('takes nothing back, and continues, when the changes were made but may not last', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const held = commits.commit().catch((error) => log.push(error.message))
    const write = await nextWrite()
    const queued = commits.commit().then(() => log.push('queued'))
    write.reject(new NotDurableError('db.json', 'EIO'))
    await held
    ;(await nextWrite()).resolve()
    await queued
    expect(log).toEqual(['write', expect.stringContaining('The change was made'), 'write', 'queued'])
  })

  it('writes again after a failure', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const failing = commits.commit()
    ;(await nextWrite()).reject(new Error('disk full'))
    await expect(failing).rejects.toThrow('disk full')
    const working = commits.commit()
    ;(await nextWrite()).resolve()
    await expect(working).resolves.toBeUndefined()
    expect(log).toEqual(['write', 'roll back', 'write'])
  })

  it('rejects on abort what no write holds yet, and nothing else', async () => {
    const { commits, log, nextWrite } = controlledStore()
    const held = commits.commit()
    const write = await nextWrite()
    const queued = commits.commit()
    commits.abort(new Error('changed by somebody else'))
    write.resolve()
    await expect(held).resolves.toBeUndefined()
    await expect(queued).rejects.toThrow('changed by somebody else')
    await commits.idle()
    expect(log).toEqual(['write'])
  })

  it('takes a commit that follows an abort in the same tick', async () => {
    const { commits, nextWrite } = controlledStore()
    const aborted = commits.commit()
    commits.abort(new Error('changed by somebody else'))
    const kept = commits.commit()
    await expect(aborted).rejects.toThrow('changed by somebody else')
    ;(await nextWrite()).resolve()
    await expect(kept).resolves.toBeUndefined()
  })

  it.each(['resolve', 'reject'] as const)(
    'is idle when the writes under way and queued %s',
    async (outcome) => {
      const { commits, log, nextWrite } = controlledStore()
      await commits.idle()
      const held = commits.commit()
      const settled = Promise.allSettled([held])
      const write = await nextWrite()
      const idle = commits.idle().then(() => log.push('idle'))
      write[outcome](new Error('disk full'))
      await Promise.all([settled, idle])
      expect(log.at(-1)).toBe('idle')
    },
  )
})
