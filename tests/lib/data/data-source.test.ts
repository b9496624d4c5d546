import { once } from 'node:events'
import { MemoryData } from '../../../lib/data/data-source'
import { DataError } from '../../../lib/data/valid-data'

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

  it('belongs to the code that made its data, unless it is told otherwise', () => {
    expect(new MemoryData({}).isShared).toBe(true)
    const memory = new MemoryData({})
    expect(memory.isShared).toBe(false)
    memory.share()
    expect(memory.isShared).toBe(true)
  })

  it('counts the changes that it knows of', async () => {
    const memory = new MemoryData({})
    const revisions = [memory.revision]
    await memory.commit()
    revisions.push(memory.revision)
    memory.replace({ blogs: [] })
    revisions.push(memory.revision)
    expect(revisions).toEqual([...new Set(revisions)])
  })
})
