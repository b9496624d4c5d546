import { once } from 'node:events'
import { DataSource, type DataSourceOptions } from '../../../lib/data/data-source'
import type { DataStorage } from '../../../lib/data/data-storage'
import { type Data, DataError } from '../../../lib/data/valid-data'
import { frozen } from '../../support/data'

/** A place of somebody's own, which others may change as well. */
class Place implements DataStorage {
  /** What is there now, by anybody. */
  content: Data
  fails = false
  readonly log: string[] = []
  #known: Data
  #running = 0

  constructor(data: Data) {
    this.content = data
    this.#known = data
  }

  load(): Promise<Data | undefined> {
    return this.#alone('load', () => {
      if (this.content === this.#known) return undefined
      this.#known = this.content
      return this.content
    })
  }

  save(state: Data): Promise<void> {
    return this.#alone('save', () => {
      if (this.fails) throw new Error('no disk')
      this.content = state
      this.#known = state
    })
  }

  async #alone<Result>(name: string, action: () => Result): Promise<Result> {
    this.log.push(name)
    if (this.#running > 0) this.log.push('at the same time')
    this.#running += 1
    try {
      await new Promise(setImmediate)
      return action()
    } finally {
      this.#running -= 1
    }
  }
}

/** A source that is two functions. */
class Notes extends DataSource {
  readonly place: Place

  constructor(data: Data, options?: DataSourceOptions) {
    const place = new Place(data)
    super(data, place, { name: 'The notes', warn: () => {}, ...options })
    this.place = place
  }
}

const open = (data: Data = { notes: [], tags: [] }) => new Notes(frozen(data))

async function add(source: DataSource, id: number): Promise<void> {
  await source.refresh()
  await source.commit({ ...source.state, notes: [...[source.state.notes].flat(), { id }] })
}

describe('a source of two functions', () => {
  it('loads before a change what others have changed', async () => {
    const notes = open()
    notes.place.content = { notes: [{ id: 1 }] }
    await add(notes, 2)
    expect(notes.place.content).toEqual({ notes: [{ id: 1 }, { id: 2 }] })
    expect(notes.loaded).toEqual({ notes: [{ id: 1 }] })
  })

  it('is loaded when it says that others may have changed it', async () => {
    const place = new Place({ notes: [] })
    let look: () => void = () => {}
    const watch = (given: () => void) => {
      look = given
    }
    const storage = { load: () => place.load(), save: (state: Data) => place.save(state), watch }
    const source = new DataSource(place.content, storage)
    place.content = { notes: [{ id: 1 }] }
    const reloaded = once(source, 'reload')
    look()
    await reloaded
    expect(source.state).toEqual({ notes: [{ id: 1 }] })
    await source.close()
  })

  it('may hold a resource named __proto__, as a file does', async () => {
    const notes = open()
    notes.place.content = JSON.parse('{"notes": [], "__proto__": [{"id": 1}]}')
    await add(notes, 1)
    expect(Object.entries(notes.place.content)).toEqual([
      ['notes', [{ id: 1 }]],
      ['__proto__', [{ id: 1 }]],
    ])
  })

  it('loads once and saves once for all changes of the same moment', async () => {
    const notes = open()
    await Promise.all([1, 2, 3].map((id) => add(notes, id)))
    expect(notes.place.content.notes).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(notes.place.log).toEqual(['load', 'load', 'save'])
  })

  it('does neither while the other runs', async () => {
    const notes = new Notes({ notes: [] }, { lookEvery: 1 })
    for (const round of [0, 10, 20]) {
      await Promise.all([1, 2, 3].map((id) => add(notes, round + id)))
      const first = add(notes, round + 4)
      await new Promise(setImmediate)
      await Promise.all([first, add(notes, round + 5)])
    }
    await notes.close()
    expect(notes.place.content.notes).toHaveLength(15)
    expect(notes.place.log).not.toContain('at the same time')
  })

  it('takes back what it could not save, and saves the next change', async () => {
    const notes = open()
    notes.place.fails = true
    const failed = await Promise.allSettled([add(notes, 1), add(notes, 2)])
    expect(failed).toEqual(
      Array(2).fill({
        status: 'rejected',
        reason: expect.objectContaining({ status: 500, message: expect.stringContaining('The notes') }),
      }),
    )
    expect(notes.state).toEqual({ notes: [], tags: [] })
    notes.place.fails = false
    await add(notes, 3)
    expect(notes.place.content.notes).toEqual([{ id: 3 }])
  })

  it('refuses a change that others have crossed, and shows theirs', async () => {
    const notes = open()
    const crossed = notes.commit({ notes: [{ id: 1 }] })
    notes.place.content = { notes: [{ id: 2 }] }
    await expect(crossed).rejects.toMatchObject({ status: 503 })
    expect(notes.state).toEqual({ notes: [{ id: 2 }] })
  })

  it('makes a change on what others have made of another resource, also with a change that follows it', async () => {
    const notes = open()
    const first = notes.commit({ ...notes.state, notes: [{ id: 1 }] })
    notes.place.content = { ...notes.lastSaved().state, tags: [{ id: 2 }] }
    await new Promise(setImmediate)
    const second = notes.commit({ ...notes.state, more: [] })
    await Promise.all([first, second])
    expect(notes.place.content).toEqual({ notes: [{ id: 1 }], tags: [{ id: 2 }], more: [] })
    expect(notes.state).toEqual(notes.place.content)
    expect(notes.loaded).toEqual({ notes: [], tags: [{ id: 2 }] })
  })

  it('goes on with the last good data while there is nothing that could be served', async () => {
    const notes = open({ notes: [] })
    const told = jest.fn()
    notes.on('unusable', told)
    notes.place.content = { notes: 7 }
    for (const id of [1, 2])
      await expect(add(notes, id)).rejects.toMatchObject({
        status: 503,
        message: expect.stringContaining('a number'),
      })
    expect(notes.state).toEqual({ notes: [] })
    expect(told).toHaveBeenCalledTimes(1)
    const reloaded = once(notes, 'reload')
    notes.place.content = { notes: [{ id: 1 }] }
    await add(notes, 2)
    await reloaded
    expect(notes.place.content).toEqual({ notes: [{ id: 1 }, { id: 2 }] })
  })

  it('refuses the changes of one resource, where only that is gone', async () => {
    const notes = open()
    notes.place.content = { notes: [{ id: 1 }], tags: new DataError('The tags are gone.') }
    await add(notes, 2)
    expect(notes.state).toEqual({ notes: [{ id: 1 }, { id: 2 }], tags: [] })
    await expect(notes.commit({ ...notes.state, tags: [{ id: 1 }] })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('The tags are gone.'),
    })
    expect(notes.state.tags).toEqual([])
    const [lost, made] = await Promise.allSettled([
      notes.commit({ ...notes.state, tags: [{ id: 2 }] }),
      notes.commit({ ...notes.state, notes: [] }),
    ])
    expect([lost.status, made.status]).toEqual(['rejected', 'fulfilled'])
    expect(notes.place.content.notes).toEqual([])
  })
})

describe('a source that is shared with code that changes it by hand', () => {
  it('saves what was changed, and what was not as the same objects', async () => {
    const notes = open({ notes: [{ id: 1 }, { id: 2 }], tags: [{ id: 1 }], profile: { name: 'Ada' } })
    const before = notes.place.content
    notes.share()
    Object(notes.state.notes)[0].title = 'by hand'
    await notes.commit(notes.state)
    expect(notes.place.content).toEqual({ ...before, notes: [{ id: 1, title: 'by hand' }, { id: 2 }] })
    expect(notes.place.content.tags).toBe(before.tags)
    expect(notes.place.content.profile).toBe(before.profile)
    expect(Object(notes.place.content.notes)[1]).toBe(Object(before.notes)[1])
  })

  it('takes back what was changed by hand, where it could not be saved', async () => {
    const notes = open({ notes: [{ id: 1 }] })
    notes.share()
    notes.place.fails = true
    Object(notes.state.notes)[0].title = 'by hand'
    await expect(notes.commit(notes.state)).rejects.toMatchObject({ status: 500 })
    expect(notes.state).toEqual({ notes: [{ id: 1 }] })
  })

  it('does not save what could not be served', async () => {
    const notes = open({ notes: [{ id: 1 }] })
    notes.share()
    Object(notes.state).notes = 7
    await expect(notes.commit(notes.state)).rejects.toMatchObject({ status: 500 })
    expect([notes.state, notes.place.content]).toEqual([{ notes: [{ id: 1 }] }, { notes: [{ id: 1 }] }])
  })
})
