import { DataSource, MemoryData } from '../../../lib/data/data-source'
import { type Data, DataError } from '../../../lib/data/valid-data'

/** A class whose `toJSON` leaves out a password. */
class Account {
  readonly name = 'Ada'
  readonly password = 'lovelace'

  toJSON() {
    return { name: this.name }
  }
}

/** Data, and everything in it, that nobody can change. */
function frozenData() {
  return Object.freeze({ blogs: Object.freeze([Object.freeze({ id: 1, by: Object.freeze(new Account()) })]) })
}

describe('data in memory', () => {
  it('is a copy, with its classes, which nobody changes by the object that was given', () => {
    const given = { blogs: [{ id: 1, by: new Account() }] }
    const memory = new MemoryData(given)
    given.blogs.push({ id: 2, by: new Account() })
    expect(memory.state).toEqual({ blogs: [{ id: 1, by: expect.any(Account) }] })
    expect(JSON.stringify(memory.state)).toBe('{"blogs":[{"id":1,"by":{"name":"Ada"}}]}')
  })

  it('is not said to be reloaded where code replaces it', () => {
    const memory = new MemoryData({})
    const reloaded = jest.fn()
    memory.on('reload', reloaded)
    memory.replace({ blogs: [] })
    expect(memory.state).toEqual({ blogs: [] })
    expect(reloaded).not.toHaveBeenCalled()
  })

  it('is a copy after `replace`, too', () => {
    const memory = new MemoryData({})
    const given = { blogs: [{ id: 1 }] }
    memory.replace(given)
    given.blogs.pop()
    expect(memory.state).toEqual({ blogs: [{ id: 1 }] })
  })

  it('can be changed by hand where it is shared, though it was frozen', () => {
    const memory = new MemoryData(frozenData())
    memory.share()
    Object(memory.state.blogs)[0].id = 2
    expect(memory.state).toEqual({ blogs: [{ id: 2, by: new Account() }] })
  })

  it('refuses what cannot be served, at the start and later', () => {
    expect(() => new MemoryData({ blogs: 1 })).toThrow(DataError)
    const memory = new MemoryData({ blogs: [] })
    expect(() => memory.replace({ blogs: 1 })).toThrow(DataError)
    expect(memory.state).toEqual({ blogs: [] })
  })
})

describe('what was loaded', () => {
  it('is the same object until the data is replaced, whatever is made of the state', async () => {
    const memory = new MemoryData({ blogs: [{ id: 1 }] })
    const { loaded } = memory
    await memory.commit({ blogs: [] })
    memory.share()
    Object(memory.state.blogs).push({ id: 2 })
    expect(memory.loaded).toBe(loaded)
    expect(loaded).toEqual({ blogs: [{ id: 1 }] })
    memory.replace({ blogs: [{ id: 3 }] })
    expect(memory.loaded).toEqual({ blogs: [{ id: 3 }] })
    expect(memory.state).toEqual(memory.loaded)
  })

  it('is not changed by code that changes a state that it has given itself', () => {
    const memory = new MemoryData({})
    memory.share()
    const given = { blogs: [{ id: 1 }] }
    memory.replace(given)
    given.blogs.push({ id: 2 })
    expect(memory.state).toBe(given)
    expect(memory.loaded).toEqual({ blogs: [{ id: 1 }] })
  })
})

describe('a shared state', () => {
  it('is copied once', () => {
    const memory = new MemoryData({ blogs: [] })
    const before = memory.state
    expect(memory.isShared).toBe(false)
    memory.share()
    const { state } = memory
    memory.share()
    expect(memory.isShared).toBe(true)
    expect(memory.state).toBe(state)
    expect(state).not.toBe(before)
  })
})

describe('who watches', () => {
  /** What a watcher has seen of the tags, each time. */
  function watched(source: DataSource) {
    const seen: unknown[] = []
    const stop = source.watch({
      onSaved: () => seen.push(source.lastSaved().state.tags),
      onClosed: () => seen.push('closed'),
    })
    return { seen, stop }
  }

  it('is told of each commit and replacement, until it ends that or the source is closed', async () => {
    const memory = new MemoryData({ tags: [] })
    const { seen } = watched(memory)
    const { seen: early, stop } = watched(memory)
    await memory.commit({ tags: [{ id: 1 }] })
    stop()
    memory.replace({ tags: [{ id: 2 }] })
    await memory.close()
    expect(early).toEqual([[{ id: 1 }]])
    expect(seen).toEqual([[{ id: 1 }], [{ id: 2 }], 'closed'])
  })

  it('sees values, also of a state that code changes by hand', async () => {
    const memory = new MemoryData({ tags: [{ id: 1 }, { id: 2 }] })
    memory.share()
    const { seen } = watched(memory)
    const before = memory.lastSaved().state.tags
    Object(memory.state.tags)[0].name = 'tea'
    await memory.commit(memory.state)
    expect(before).toEqual([{ id: 1 }, { id: 2 }])
    expect(seen).toEqual([[{ id: 1, name: 'tea' }, { id: 2 }]])
    expect(Object(seen[0])[1]).toBe(Object(before)[1])
  })

  it('is told of what is saved when it is, and of nothing that is taken back', async () => {
    const order: string[] = []
    const save = async (state: Data) => {
      if (state.tags === undefined) throw new Error('The disk is full.')
      order.push('saved')
    }
    const source = new DataSource({ tags: [] }, { save })
    source.watch({ onSaved: () => order.push('told'), onClosed: () => {} })
    jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await expect(source.commit({})).rejects.toMatchObject({ status: 500 })
    const committed = source.commit({ tags: [{ id: 1 }] })
    expect(order).toEqual([])
    await committed
    expect(order).toEqual(['saved', 'told'])
    jest.restoreAllMocks()
  })
})
