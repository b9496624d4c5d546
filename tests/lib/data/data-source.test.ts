import { once } from 'node:events'
import { DataError, MemoryData, validData } from '../../../lib/data/data-source'

class Sample {
  list = []
}

describe('validData', () => {
  it.each([
    ['an array', [], 'The data must be an object of collections, but it is an array.'],
    ['null', null, 'The data must be an object of collections, but it is null.'],
    ['a string', 'x', 'The data must be an object of collections, but it is a string.'],
    ['nothing', undefined, 'The data must be an object of collections, but it is undefined.'],
    ['a Map', new Map(), 'The data must be an object of collections, but it is a Map.'],
    ['an object of a class', new Sample(), 'The data must be an object of collections, but it is a Sample.'],
    ['a Map for a collection', { b: new Map() }, 'The data has "b", which is a Map: it must be an array or'],
    ['a number for a collection', { a: [], b: 1 }, 'The data has "b", which is a number'],
    ['null for a collection', { b: null }, 'The data has "b", which is null'],
    ['a string for a collection', { b: 'x' }, 'The data has "b", which is a string'],
    ['a parenthesis that opens nothing', { 'p(a': [] }, 'The data has a collection named "p(a"'],
    ['a slash in a name', { 'a/b': [] }, 'The data has a collection named "a/b"'],
  ])('refuses %s', (_case, value, sentence) => {
    expect(() => validData(value, 'The data')).toThrow(DataError)
    expect(() => validData(value, 'The data')).toThrow(sentence)
  })

  it.each([
    {},
    Object.assign(Object.create(null), { list: [] }),
    { list: [], single: {} },
    { $schema: 'https://example.com/schema.json', list: [] },
    { 'name with spaces': [], ünïcode: [] },
  ])('accepts %j', (value) => {
    expect(validData(value, 'The data')).toBe(value)
  })
})

describe('MemoryData', () => {
  it('serves the object that it was given', () => {
    const data = { blogs: [] }
    expect(new MemoryData(data).state).toBe(data)
  })

  it('refuses what cannot be served, at the start and later', () => {
    expect(() => new MemoryData({ blogs: 1 })).toThrow(DataError)
    const memory = new MemoryData({ blogs: [] })
    expect(() => memory.replace({ blogs: 1 })).toThrow(DataError)
    expect(memory.state).toEqual({ blogs: [] })
  })

  it('says when its data was replaced', async () => {
    const memory = new MemoryData({ blogs: [] })
    const reloaded = once(memory, 'reload')
    const data = { blogs: [{ id: 1 }] }
    memory.replace(data)
    await reloaded
    expect(memory.state).toBe(data)
  })

  it('has nothing to write, to refresh or to close', async () => {
    const memory = new MemoryData({ blogs: [] })
    expect(memory.refresh()).toBeUndefined()
    await expect(memory.commit()).resolves.toBeUndefined()
    await expect(memory.close()).resolves.toBeUndefined()
  })

  it('belongs to whoever made its data, unless that is said otherwise', () => {
    expect(new MemoryData({}).isShared).toBe(true)
    const memory = new MemoryData({}, { isShared: false })
    expect(memory.isShared).toBe(false)
    memory.isShared = true
    expect(memory.isShared).toBe(true)
  })

  it('counts what it knows of', async () => {
    const memory = new MemoryData({}, { isShared: false })
    const revisions = [memory.revision]
    await memory.commit()
    revisions.push(memory.revision)
    memory.replace({ blogs: [] })
    revisions.push(memory.revision)
    expect(revisions).toEqual([...new Set(revisions)])
  })
})
