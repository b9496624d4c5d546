import { MemoryData } from '../../../lib/data/data-source'
import { DataError } from '../../../lib/data/valid-data'

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
