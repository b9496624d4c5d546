import { once } from 'node:events'
import v8 from 'node:v8'
import { StoredData } from '../../../lib/data/stored-data'
import { DataError } from '../../../lib/data/valid-data'
import { type TestApp, testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { json, until } from '../../support/http'
import { TextDatabase, TextStore } from './text-store'

const { start } = testApps()

const opened: StoredData[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((data) => data.close()))
})

interface Server extends TestApp {
  store: TextStore
  data: StoredData
  warn: jest.Mock
}

/** A server of its own on a database. */
async function open(database: TextDatabase, patience?: number): Promise<Server> {
  const store = new TextStore(database)
  const warn = jest.fn()
  const data = await StoredData.open(store, { warn, ...(patience !== undefined && { patience }) })
  opened.push(data)
  return { ...(await start({ data, secret: 'one secret for all of the servers' })), store, data, warn }
}

const newDatabase = () => new TextDatabase(JSON.stringify(sampleData()))

const titles = ({ data }: TextDatabase) => data.posts?.map((post) => Object(post).title)

const lost = () => {
  throw new Error('the connection was lost')
}

/** Calls a function the first time only. */
function atFirst(fault: () => unknown): () => unknown {
  let isDone = false
  return () => {
    if (isDone) return undefined
    isDone = true
    return fault()
  }
}

describe('servers on one store', () => {
  it('keep every change that was acknowledged, give no id twice, and agree', async () => {
    const database = newDatabase()
    const servers = await Promise.all([1, 2, 3].map(() => open(database)))
    const created = await Promise.all(
      servers.flatMap((server, number) =>
        Array.from({ length: 12 }, async (_client, client) => {
          const answers = []
          for (let round = 0; round < 4; round += 1) {
            const answer = await server.send('POST', '/posts', { title: `${number}-${client}-${round}` })
            expect(answer.status).toBe(201)
            answers.push(JSON.parse(answer.text))
          }
          return answers
        }),
      ),
    )
    const { posts } = sampleData()
    const byId = (one: { id: number }, other: { id: number }) => one.id - other.id
    expect(database.data.posts).toEqual([...Object(posts), ...created.flat().sort(byId)])
    // Changes that arrive together share a turn.
    expect(database.writes).toBeLessThan(created.flat().length / 2)
    for (const server of servers) {
      await server.data.refresh()
      expect(json(await server.send('GET', '/db'))).toEqual(database.data)
    }
  })

  it('see the changes of the others, also in the public list', async () => {
    const database = newDatabase()
    const [one, other] = [await open(database), await open(database)]
    const reloaded = once(other.data, 'reload')
    expect((await one.send('POST', '/blogs', { title: 'Four' })).status).toBe(201)
    await reloaded
    expect(json(await other.send('GET', '/blogs/4'))).toEqual({ blog: { title: 'Four', id: 4 } })
    expect(Object(json(await other.send('GET', '/blogs'))).blogs).toHaveLength(4)
    expect((await other.send('PATCH', '/blogs/4', { title: 'Changed' })).status).toBe(200)
    expect(database.data.blogs?.at(-1)).toEqual({ title: 'Changed', id: 4 })
  })

  it('write nothing for a request that changes nothing, and end the turn', async () => {
    const database = newDatabase()
    const { send, store } = await open(database)
    expect((await send('PATCH', '/posts/99', { title: 'none' })).status).toBe(404)
    expect((await send('POST', '/posts', { id: 1 })).status).toBe(409)
    expect(database.writes).toBe(0)
    const counts = (name: string) => store.calls.filter((call) => call === name).length
    await until(() => counts('release') === counts('begin'))
  })
})

describe('a write that is not confirmed', () => {
  it.each([
    ['was not made', 'write', 503],
    ['was made', 'after', 201],
  ])('and %s is told from one that was, by the next turn', async (_case, moment, status) => {
    const database = newDatabase()
    const { send, store, data, warn } = await open(database)
    if (moment === 'write') store.before.write = atFirst(lost)
    else store.afterWrite = atFirst(lost)
    const answer = await send('POST', '/posts', { title: 'mine' })
    expect(answer.status).toBe(status)
    if (status === 503)
      expect(json(answer)).toEqual({ error: expect.stringMatching(/^The change was not made, .* again\.$/) })
    expect(warn).toHaveBeenCalledTimes(1)
    expect(titles(database)).toEqual(['Hello', 'World', ...(status === 201 ? ['mine'] : [])])
    expect(data.state).toEqual(database.data)
    // Also the turn in which the server asks what has become of the write ends, before it takes another.
    expect(store.calls.join(' ')).toMatch(/write begin release/)
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(data.state).toEqual(database.data)
  })

  it('is acknowledged if it was made, also when another server has written since', async () => {
    const database = newDatabase()
    const [one, other] = [await open(database), await open(database)]
    let isReached = true
    one.store.afterWrite = atFirst(() => {
      isReached = false
      // The database has ended the turn of the lost connection.
      one.store.release()
      lost()
    })
    one.store.before.begin = () => isReached || lost()
    const answer = one.send('POST', '/posts', { title: 'mine' })
    await until(() => !isReached)
    expect((await other.send('DELETE', '/posts/1')).status).toBe(200)
    expect((await other.send('POST', '/posts', { title: 'theirs' })).status).toBe(201)
    isReached = true
    expect((await answer).status).toBe(201)
    expect(titles(database)).toEqual(['World', 'mine', 'theirs'])
    await one.data.refresh()
    expect(one.data.state).toEqual(database.data)
  })

  it('is reported as unknown when the store does not answer, and known when it does', async () => {
    const database = newDatabase()
    const { send, store, data } = await open(database, 1500)
    let isReached = true
    store.afterWrite = atFirst(() => {
      isReached = false
      lost()
    })
    store.before.begin = () => isReached || lost()
    const [answer, refused] = await Promise.all([
      send('POST', '/posts', { title: 'mine' }),
      (async () => {
        await until(() => !isReached)
        return send('POST', '/posts', { title: 'refused' })
      })(),
    ])
    expect([answer.status, refused.status]).toEqual([503, 503])
    expect(json(answer)).toEqual({
      error: expect.stringMatching(/^Whether the change was made is unknown, /),
    })
    expect(json(refused)).toEqual({ error: expect.stringMatching(/^The change was not made, /) })
    const usable = once(data, 'usable')
    isReached = true
    await usable
    expect(titles(database)).toEqual(['Hello', 'World', 'mine'])
    expect(data.state).toEqual(database.data)
  })

  it('is shown until it is known that it was not made, and then by nothing', async () => {
    const database = newDatabase()
    const { send, store, data } = await open(database, 500)
    for (let round = 0; round < 12; round += 1) await send('GET', '/posts/1')
    const read = async () => {
      const { status } = await send('GET', '/posts/3')
      const list = json(await send('GET', '/posts?_sort=id'))
      return { status, count: Object(list).length, etag: (await send('GET', '/blogs')).headers.etag }
    }
    const { etag } = await read()
    let isReached = true
    store.before.write = atFirst(() => {
      isReached = false
      lost()
    })
    store.before.begin = () => isReached || lost()
    const unknown = await send('POST', '/posts', { title: 'mine' })
    expect(json(unknown)).toEqual({ error: expect.stringContaining('unknown') })
    expect(await read()).toEqual({ status: 200, count: 3, etag })
    const { state } = data
    isReached = true
    await until(() => data.state !== state)
    expect(await read()).toEqual({ status: 404, count: 2, etag })
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(data.state).toEqual(database.data)
    expect(titles(database)).toEqual(['Hello', 'World', 'next'])
  })

  it("never overwrites others' text that came with receipts which could not be read", async () => {
    const database = newDatabase()
    const { send, store, data } = await open(database)
    const theirs = { ...sampleData(), posts: [{ id: 1, title: 'theirs' }] }
    store.before.write = atFirst(() => {
      Object.assign(database, { text: JSON.stringify(theirs), receipts: 'none', version: 9 })
      lost()
    })
    data.once('unusable', () => Object.assign(database, { receipts: '' }))
    expect((await send('POST', '/posts', { title: 'mine' })).status).toBe(503)
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(titles(database)).toEqual(['theirs', 'next'])
  })
})

describe('a store that does not answer', () => {
  it('changes nothing when it gives the turn too late, and what comes then is made', async () => {
    const database = newDatabase()
    const { send, store, data } = await open(database, 300)
    await until(() => store.calls.length >= 4)
    let answer: () => void = () => {}
    store.before.begin = atFirst(() => new Promise<void>((resolve) => (answer = resolve)))
    const refused = await send('POST', '/posts', { title: 'late' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    answer()
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(titles(database)).toEqual(['Hello', 'World', 'next'])
    expect(data.state).toEqual(database.data)
  })

  it('makes no acknowledged change disappear when a write takes longer than anybody waits', async () => {
    const database = newDatabase()
    const { send, store, data } = await open(database, 300)
    expect((await send('POST', '/posts', { title: 'first' })).status).toBe(201)
    let answer: () => void = () => {}
    store.before.write = atFirst(() => new Promise<void>((resolve) => (answer = resolve)))
    const unknown = await send('POST', '/posts', { title: 'slow' })
    expect(json(unknown)).toEqual({ error: expect.stringContaining('unknown') })
    answer()
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(titles(database)).toEqual(['Hello', 'World', 'first', 'slow', 'next'])
    expect(data.state).toEqual(database.data)
  })

  it('is said once, and so is its return', async () => {
    const database = newDatabase()
    const { send, store, data, warn } = await open(database)
    store.before.begin = lost
    for (let round = 0; round < 2; round += 1) expect((await send('DELETE', '/posts/1')).status).toBe(503)
    expect(warn.mock.calls).toEqual([['The store cannot be reached: the connection was lost.']])
    expect((await send('GET', '/posts/1')).status).toBe(200)
    const usable = once(data, 'usable')
    store.before.begin = () => {}
    await usable
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
  })

  it('is asked a second time at once, because a connection may have been lost unnoticed', async () => {
    const { send, store, warn } = await open(newDatabase())
    await until(() => store.calls.length >= 4)
    store.before.begin = atFirst(lost)
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
    expect(warn).not.toHaveBeenCalled()
  })

  it('is not waited for when it does not end a turn', async () => {
    const { send, store } = await open(newDatabase())
    store.before.release = lost
    expect((await send('DELETE', '/posts/99')).status).toBe(404)
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
  })
})

describe('a newer text that cannot be served', () => {
  function write(database: TextDatabase, text: string): void {
    Object.assign(database, { text, version: database.version + 1 })
    database.changed.emit('change')
  }

  it('is never overwritten; the last good data is served until it is mended', async () => {
    const database = newDatabase()
    const { send, data } = await open(database)
    const unusable = once(data, 'unusable')
    write(database, '{"posts": [}')
    await unusable
    for (let round = 0; round < 2; round += 1) {
      const answer = await send('DELETE', '/posts/1')
      expect([answer.status, json(answer)]).toEqual([
        503,
        {
          error: expect.stringMatching(/^Nothing can be saved at the moment: The store .* at line 1, column/),
        },
      ])
    }
    expect(database.text).toBe('{"posts": [}')
    expect((await send('GET', '/posts/1')).status).toBe(200)
    write(database, '{"posts": [{"id": 7}]}')
    expect((await send('DELETE', '/posts/7')).status).toBe(200)
    expect(database.data).toEqual({ posts: [] })
  })

  it('is mended by the text that was there before, too', async () => {
    const database = newDatabase()
    const { send, data } = await open(database)
    const { text } = database
    const unusable = once(data, 'unusable')
    write(database, '{"posts": [}')
    await unusable
    const usable = once(data, 'usable')
    write(database, text)
    await usable
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
    expect(titles(database)).toEqual(['World'])
  })

  it('is an empty one, which discards no data while the server runs', async () => {
    const database = newDatabase()
    const { send, data } = await open(database)
    const unusable = once(data, 'unusable')
    write(database, ' ')
    expect(await unusable).toEqual([
      new DataError('The store is empty: it must hold an object, for instance {"blogs": [], "users": []}.'),
    ])
    expect((await send('DELETE', '/posts/1')).status).toBe(503)
    expect(database.text).toBe(' ')
    expect((await send('GET', '/posts/1')).status).toBe(200)
  })
})

describe.each([undefined, null, 5, [], 'none', '[]'])('receipts that are %j', (receipts) => {
  const sentence =
    `The store gives receipts that no server has written: ` +
    `its "begin" must give those of the last "write", and '' before the first.`

  it('are refused at the start, after the end of the turn', async () => {
    const store = new TextStore(Object.assign(newDatabase(), { receipts }))
    await expect(StoredData.open(store)).rejects.toThrow(new DataError(sentence))
    expect(store.calls).toEqual(['begin', 'release'])
  })

  it('refuse each change at once, and what comes when they are mended is made', async () => {
    const database = newDatabase()
    const { send, store, warn } = await open(database)
    await until(() => store.calls.length >= 4)
    store.calls.splice(0)
    Object.assign(database, { receipts })
    const refused = await send('DELETE', '/posts/1')
    expect([refused.status, json(refused)]).toEqual([
      503,
      { error: expect.stringMatching(/^Nothing can be saved at the moment: The store gives receipts/) },
    ])
    expect(warn.mock.calls).toEqual([[sentence]])
    expect(store.calls).toEqual(['begin', 'release'])
    database.receipts = ''
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
    expect(titles(database)).toEqual(['World'])
  })
})

it('goes on when a listener to its events fails', async () => {
  const database = newDatabase()
  const { send, store, data, warn } = await open(database)
  const fail = () => {
    throw new Error('a bug')
  }
  for (const event of ['reload', 'unusable', 'usable'] as const) data.on(event, fail)
  store.before.write = atFirst(lost)
  expect((await send('POST', '/posts', { title: 'mine' })).status).toBe(503)
  Object.assign(database, { text: '{"posts": 1}', version: 8 })
  expect((await send('POST', '/posts', { title: 'mine' })).status).toBe(503)
  Object.assign(database, { text: '{"posts": []}', version: 9 })
  expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
  expect(titles(database)).toEqual(['next'])
  expect(data.state).toEqual(database.data)
  expect(warn).toHaveBeenCalledWith(
    'A listener to an event of The store has failed: a bug.',
    new Error('a bug'),
  )
})

it('writes no text that is larger than half the heap, unless the old one was no smaller', async () => {
  const database = new TextDatabase('{"profile": {"name": "a long name"}}')
  const data = await StoredData.open(new TextStore(database))
  opened.push(data)
  const rename = async (name: string) => {
    await data.refresh()
    data.state.profile = { name }
    await data.save()
  }
  await rename('a long name')
  const statistics = v8.getHeapStatistics()
  const limited = jest.spyOn(v8, 'getHeapStatistics')
  limited.mockReturnValue({ ...statistics, heap_size_limit: 10 })
  await expect(rename('a longer name')).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/^The change was not made, because The store would be larger than half/),
  })
  expect(data.state).toEqual({ profile: { name: 'a long name' } })
  for (const name of ['A LONG NAME', 'short']) {
    await rename(name)
    expect(database.data).toEqual({ profile: { name } })
  }
  await expect(rename('longer')).rejects.toMatchObject({ status: 503 })
  limited.mockRestore()
})

describe('a change outside of a turn', () => {
  const add = (data: StoredData, title: string) => {
    const { posts } = data.state
    if (Array.isArray(posts)) posts.push({ id: title, title })
    return data.commit()
  }

  it('is stored when nobody else has written', async () => {
    const database = newDatabase()
    const { data, send } = await open(database)
    await add(data, 'mine')
    expect(titles(database)).toEqual(['Hello', 'World', 'mine'])
    expect((await send('GET', '/posts/mine')).status).toBe(200)
  })

  it('is refused when somebody has, and nothing of it is stored', async () => {
    const database = newDatabase()
    const { data, send } = await open(database)
    const theirs = { ...sampleData(), posts: [{ id: 1, title: 'theirs' }] }
    Object.assign(database, { text: JSON.stringify(theirs), version: 9 })
    await expect(add(data, 'mine')).rejects.toMatchObject({ status: 503 })
    expect(database.data).toEqual(theirs)
    expect((await send('POST', '/posts', { title: 'next' })).status).toBe(201)
    expect(titles(database)).toEqual(['theirs', 'next'])
  })

  it.each(['begin', 'write'] as const)(
    'is refused when "%s" fails, and nothing of it is stored',
    async (call) => {
      const database = newDatabase()
      const { data, store } = await open(database)
      await until(() => store.calls.length >= 4)
      store.before[call] = lost
      await expect(add(data, 'mine')).rejects.toMatchObject({ status: 503 })
      expect(data.state).toEqual(sampleData())
      store.before[call] = () => {}
      await add(data, 'next')
      expect(titles(database)).toEqual(['Hello', 'World', 'next'])
    },
  )

  it('is refused when it is made while a write is under way that fails', async () => {
    const database = newDatabase()
    const { data, store, send } = await open(database)
    const refused: unknown[] = []
    store.before.write = atFirst(() => {
      add(data, 'mine').catch((error) => refused.push(error.status))
      lost()
    })
    expect((await send('DELETE', '/posts/1')).status).toBe(503)
    expect(refused).toEqual([503])
    expect(database.data).toEqual(sampleData())
  })

  it('is made on the newest data when it waits for that first', async () => {
    const database = newDatabase()
    const { data } = await open(database)
    Object.assign(database, { text: '{"posts": []}', version: 9 })
    await data.refresh()
    await add(data, 'mine')
    expect(titles(database)).toEqual(['mine'])
  })

  it('that cannot be served is refused and taken back', async () => {
    const database = newDatabase()
    const { data, send } = await open(database)
    Object.assign(data.state, { posts: 1 })
    await expect(data.commit()).rejects.toMatchObject({ status: 500 })
    expect(database.data).toEqual(sampleData())
    expect((await send('DELETE', '/posts/1')).status).toBe(200)
  })
})

describe('opening', () => {
  const begin = async () => ({ text: '{}', receipts: '' })
  const never = () => new Promise<never>(() => {})

  it('takes an empty text for no collections', async () => {
    const data = await StoredData.open(new TextStore(new TextDatabase('')))
    opened.push(data)
    expect(data.state).toEqual({})
  })

  it.each([
    ['cannot be reached', { begin: lost }, 'The store cannot be read: the connection was lost.'],
    [
      'says so in a sentence',
      { begin: () => Promise.reject(new Error('It is locked.')) },
      'The store cannot be read: It is locked.',
    ],
    ['cannot be watched', { begin, watch: lost }, 'The store cannot be read: the connection was lost.'],
    ['cannot be watched in time', { begin, watch: never }, 'The store did not answer in time.'],
    ['does not begin', { begin: never }, 'The store did not answer in time.'],
    ['does not end its turn', { begin, release: never }, 'The store did not answer in time.'],
    [
      'gives no text',
      { begin: async () => ({ receipts: '' }) },
      'The store cannot be read: its first "begin" gave no text.',
    ],
    [
      'holds no JSON',
      { begin: async () => ({ text: '[}', receipts: '' }) },
      /^The store is not valid JSON at line 1, column 2/,
    ],
  ])('refuses a store that %s', async (how, calls, sentence) => {
    const close = jest.fn()
    const store = { write: async () => {}, release: async () => {}, close, ...calls }
    const opening = expect(StoredData.open(store, { patience: 10 })).rejects
    await opening.toThrow(DataError)
    await opening.toThrow(sentence)
    // Nothing is called while another call has not ended.
    const neverEnds = /^does not|in time$/.test(how)
    expect(close).toHaveBeenCalledTimes(neverEnds ? 0 : 1)
  })
})

test('the store is not called while it closes, nor afterwards', async () => {
  const database = newDatabase()
  const { data, store, send } = await open(database)
  await until(() => store.calls.length >= 4)
  const lose: (() => void)[] = []
  store.afterWrite = atFirst(
    () => new Promise((_resolve, reject) => lose.push(() => reject(new Error('lost')))),
  )
  const calls: string[] = []
  Object.assign(store, {
    close: async () => {
      const before = store.calls.length
      for (let round = 0; round < 9; round += 1) await new Promise(setImmediate)
      calls.push(...store.calls.slice(before))
    },
  })
  const answer = send('DELETE', '/posts/1')
  await until(() => lose.length === 1)
  const closed = data.close()
  for (const call of lose) call()
  await closed
  expect((await answer).status).toBe(200)
  expect(calls).toEqual([])
  const before = store.calls.length
  const refused = await send('DELETE', '/posts/2')
  expect([refused.status, json(refused)]).toEqual([503, { error: expect.stringContaining('is closed') }])
  await expect(data.commit()).rejects.toMatchObject({ status: 503 })
  expect(store.calls).toHaveLength(before)
  expect(titles(database)).toEqual(['World'])
})

it('closes a store that answers too late to be opened, and asks it no more', async () => {
  const database = newDatabase()
  const store = new TextStore(database)
  let answer: () => void = () => {}
  store.before.begin = atFirst(() => new Promise<void>((resolve) => (answer = resolve)))
  const closed = new Promise<void>((resolve) => Object.assign(store, { close: async () => resolve() }))
  await expect(StoredData.open(store, { patience: 10 })).rejects.toThrow('did not answer in time')
  answer()
  await closed
  const calls = store.calls.slice()
  for (let round = 0; round < 9; round += 1) await new Promise(setImmediate)
  database.changed.emit('change')
  expect(store.calls).toEqual(calls)
})

describe('closing', () => {
  it('waits for the write under way, as long as a change does, and not for ever', async () => {
    const database = newDatabase()
    const { data, store, warn } = await open(database)
    await until(() => store.calls.length >= 4)
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
    let answer: () => void = () => {}
    store.before.write = atFirst(() => new Promise<void>((resolve) => (answer = resolve)))
    data.state.posts = []
    const change = data.commit()
    while (!store.calls.includes('write')) await new Promise(setImmediate)
    const closed = data.close()
    await new Promise(setImmediate)
    jest.advanceTimersByTime(9000)
    answer()
    await Promise.all([change, closed])
    expect(database.data.posts).toEqual([])
    expect(warn).not.toHaveBeenCalled()
    jest.useRealTimers()
  })

  it('does not wait for a turn that never begins, nor for a store that never closes', async () => {
    const other = await open(newDatabase(), 300)
    other.store.before.begin = () => new Promise(() => {})
    other.send('DELETE', '/posts/1').catch(() => {})
    await until(() => other.store.calls.at(-1) === 'begin')
    await Promise.all([other.data.close(), other.data.close()])
    expect(other.warn.mock.calls).toEqual([
      ['The store does not answer.'],
      ['The last turn of The store was not waited for: it does not answer.'],
    ])
    const { data, store, warn } = await open(newDatabase())
    const close = jest.fn(() => new Promise(() => {}))
    Object.assign(store, { close })
    await Promise.all([data.close(), data.close()])
    expect(warn.mock.calls).toEqual([['The store was not closed: it does not answer.']])
    expect(close).toHaveBeenCalledTimes(1)
  })
})
