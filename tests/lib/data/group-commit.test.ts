import { DataSource } from '../../../lib/data/data-source'
import { NotDurableError } from '../../../lib/data/file/file-errors'
import { groupCommit } from '../../../lib/data/group-commit'
import type { Data } from '../../../lib/data/valid-data'

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

/** A database that its servers lock, one after the other. */
class Database {
  readonly log: string[] = []
  state: Data = { ids: [] }
  fails = false
  #last = Promise.resolve()

  /** @returns unlocks it */
  async lock(): Promise<() => void> {
    const before = this.#last
    let unlock: () => void = () => {}
    this.#last = new Promise((resolve) => {
      unlock = resolve
    })
    await before
    this.log.push('lock')
    return () => {
      this.log.push('unlock')
      unlock()
    }
  }
}

/** A source with turns: `refresh` takes the lock, and the changes of the tick in which it resolves are written. */
class LockedData extends DataSource {
  readonly #database: Database
  #next: Promise<void> | undefined
  #ended: Promise<void> = Promise.resolve()
  #saved = this.state
  readonly #changes = groupCommit({
    write: async () => {
      const { state } = this
      this.#database.log.push('write')
      if (this.#database.fails) throw new Error('no disk')
      this.#database.state = state
      this.#saved = state
    },
    rollBack: () => this.setState(this.#saved),
  })

  constructor(database: Database) {
    super(database.state)
    this.#database = database
  }

  override refresh(): Promise<void> {
    this.#next ??= this.#ended.then(() => this.#begin())
    return this.#next
  }

  override commit(state: Data): Promise<void> {
    this.setState(state)
    return this.#changes.commit()
  }

  override close(): Promise<void> {
    return this.#ended
  }

  async #begin(): Promise<void> {
    const unlock = await this.#database.lock()
    this.#next = undefined
    this.#saved = this.#database.state
    this.setState(this.#saved)
    const changes = new Promise(setImmediate).then(() => this.#changes.idle())
    this.#ended = changes.then(unlock)
  }
}

describe('a source with turns', () => {
  async function add(source: DataSource, id: string): Promise<void> {
    await source.refresh()
    await source.commit({ ids: [...[source.state.ids].flat(), id] })
  }

  it('writes the changes of one turn together, on top of what others have written', async () => {
    const database = new Database()
    const [one, two] = [new LockedData(database), new LockedData(database)]
    await Promise.all([add(one, 'a'), add(two, 'b'), add(one, 'c')])
    await two.close()
    expect(database.log).toEqual(['lock', 'write', 'unlock', 'lock', 'write', 'unlock'])
    expect(database.state).toEqual({ ids: ['a', 'c', 'b'] })
    await Promise.all([add(two, 'd'), add(one, 'e')])
    expect(database.state).toEqual({ ids: ['a', 'c', 'b', 'd', 'e'] })
  })

  it('ends a turn in which nothing was changed', async () => {
    const database = new Database()
    const source = new LockedData(database)
    await source.refresh()
    await add(source, 'a')
    await source.close()
    expect(database.log).toEqual(['lock', 'unlock', 'lock', 'write', 'unlock'])
  })

  it('ends a turn whose write fails, and is as it was', async () => {
    const database = new Database()
    const source = new LockedData(database)
    database.fails = true
    const lost = [add(source, 'a'), add(source, 'b')]
    for (const change of lost) await expect(change).rejects.toThrow('no disk')
    expect(source.state).toEqual({ ids: [] })
    database.fails = false
    await add(source, 'c')
    expect(database.state).toEqual({ ids: ['c'] })
  })
})
