import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { DataFile } from '../../../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../../../lib/data/data-source'
import type { Data } from '../../../../lib/data/valid-data'
import { SANDBOX_LIMITS, Sandboxes } from '../../../../lib/options/sandboxes/sandboxes'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()
const WITH_TOKEN = { mayPushOut: true }
const WITHOUT_TOKEN = { mayPushOut: false }

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** Sandboxes of this data, and the number of applications that they have made. */
function make(data: Data | DataSource = {}) {
  const app: RequestHandler = () => {}
  const createServer = jest.fn(() => ({ app, sessions: { strict: false, endAll() {} } }))
  const source = data instanceof EventEmitter ? data : new MemoryData(data)
  return { sandboxes: new Sandboxes({ data: source, clock: Date.now, createServer }), createServer, source }
}

/** The sandbox of a request that has ended at once. */
function entered(sandboxes: Sandboxes, name: string) {
  const response = new EventEmitter()
  const sandbox = sandboxes.enter(name, response)
  response.emit('close')
  return sandbox
}

/** Makes as many sandboxes as there can be: `0` to `199`. */
function fill(sandboxes: Sandboxes): void {
  for (let index = 0; index < SANDBOX_LIMITS.count; index += 1) sandboxes.control(`${index}`)
}

const full = expect.objectContaining({
  status: 503,
  message: expect.stringContaining('DELETE /__sandbox'),
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
})
const gone = expect.objectContaining({ status: 410, message: expect.stringContaining('reset') })

test('the limits are 200 sandboxes, a minute, and 10,000 names', () => {
  expect(SANDBOX_LIMITS).toEqual({ count: 200, idleTime: 60_000, remembered: 10_000 })
})

describe('over the limit', () => {
  test('the one unused longest makes room, and its name is gone until it is reset', () => {
    const { sandboxes } = make()
    fill(sandboxes)
    jest.advanceTimersByTime(60_000)
    entered(sandboxes, '0')
    sandboxes.control('more')
    expect(() => entered(sandboxes, '1')).toThrow(gone)
    expect(() => sandboxes.control('1')).toThrow(gone)
    for (const name of ['0', '2', 'more']) expect(entered(sandboxes, name)).toBe(entered(sandboxes, name))
    sandboxes.reset('1', {})
    expect(entered(sandboxes, '1')).toBe(sandboxes.control('1'))
    expect(() => entered(sandboxes, '3')).toThrow(gone)
  })

  test('none is pushed out that was used within a minute', () => {
    const { sandboxes } = make()
    fill(sandboxes)
    jest.advanceTimersByTime(59_999)
    for (const name of ['more', 'another']) expect(() => sandboxes.control(name)).toThrow(full)
    expect(() => sandboxes.reset('more', {})).toThrow(full)
    jest.advanceTimersByTime(1)
    sandboxes.control('more')
  })

  test('none is pushed out for a request without a token', () => {
    const { sandboxes } = make()
    fill(sandboxes)
    jest.advanceTimersByTime(3_600_000)
    const sandbox = sandboxes.enter('more', new EventEmitter())
    expect(() => sandboxes.keep(sandbox, WITHOUT_TOKEN)).toThrow(full)
    expect(sandboxes.control('0')).toBeDefined()
    sandboxes.keep(sandbox, WITH_TOKEN)
    expect(() => sandboxes.control('1')).toThrow(gone)
  })

  test('existing ones can be reset, and a deleted one makes room', () => {
    const { sandboxes } = make()
    fill(sandboxes)
    sandboxes.reset('7', {})
    sandboxes.forget('8')
    sandboxes.control('more')
    expect(() => sandboxes.control('8')).toThrow(full)
  })

  test('a deleted name is not gone', () => {
    const { sandboxes } = make()
    fill(sandboxes)
    jest.advanceTimersByTime(60_000)
    sandboxes.control('more')
    sandboxes.forget('0')
    expect(entered(sandboxes, '0')).toBeDefined()
  })

  test('the last 10,000 names are remembered', () => {
    const { sandboxes } = make()
    for (let index = 0; index < 10_201; index += 1) {
      sandboxes.control(`${index}`)
      jest.advanceTimersByTime(60_000)
    }
    expect(entered(sandboxes, '0')).toBeDefined()
    for (const name of ['1', '10000']) expect(() => entered(sandboxes, name)).toThrow(gone)
    expect(entered(sandboxes, '10001')).toBe(sandboxes.control('10001'))
  })
})

describe('a sandbox that nothing has changed', () => {
  test('is the same for all requests under way, and gone when they have ended', () => {
    const { sandboxes } = make()
    const [first, second] = [new EventEmitter(), new EventEmitter()]
    const sandbox = sandboxes.enter('a', first)
    expect(sandboxes.enter('a', second)).toBe(sandbox)
    first.emit('close')
    expect(entered(sandboxes, 'a')).toBe(sandbox)
    second.emit('close')
    expect(entered(sandboxes, 'a')).not.toBe(sandbox)
  })

  test('stays when it is kept, and takes no room before that', () => {
    const { sandboxes } = make()
    for (let index = 0; index < 1_000; index += 1) sandboxes.enter(`read-${index}`, new EventEmitter())
    const response = new EventEmitter()
    const sandbox = sandboxes.enter('a', response)
    sandboxes.keep(sandbox, WITHOUT_TOKEN)
    response.emit('close')
    expect(entered(sandboxes, 'a')).toBe(sandbox)
  })

  test.each<[string, (sandboxes: Sandboxes) => unknown]>([
    ['forgotten', (sandboxes) => sandboxes.forget('a')],
    ['reset', (sandboxes) => sandboxes.reset('a', {})],
  ])('does not come back when it was %s before it is kept', (_how, act) => {
    const { sandboxes } = make()
    const sandbox = sandboxes.enter('a', new EventEmitter())
    act(sandboxes)
    sandboxes.keep(sandbox, WITH_TOKEN)
    expect(entered(sandboxes, 'a')).not.toBe(sandbox)
  })

  test('has the loaded data, after each reload, too', () => {
    const { sandboxes, source } = make({ blogs: [{ id: 1 }] })
    const kept = sandboxes.control('kept')
    const slow = sandboxes.enter('a', new EventEmitter())
    source.replace({ blogs: [{ id: 2 }] })
    expect(entered(sandboxes, 'a').data.state).toEqual({ blogs: [{ id: 2 }] })
    for (const { data } of [slow, kept, entered(sandboxes, 'kept')])
      expect(data.state).toEqual({ blogs: [{ id: 1 }] })
  })
})

test('a sandbox shares what was loaded, and its changes reach nobody else', async () => {
  const { sandboxes, source } = make({ blogs: [{ id: 1 }], tags: [] })
  const { data } = sandboxes.control('a')
  expect(data.state.blogs).toBe(source.loaded.blogs)
  await data.commit({ ...data.state, blogs: [] })
  data.share()
  Object(data.state.tags).push({ id: 'by hand' })
  for (const { state } of [sandboxes.control('b').data, source])
    expect(state).toEqual({ blogs: [{ id: 1 }], tags: [] })
})

test('a sandbox has the data as it was last read or replaced, whatever requests have made of it', async () => {
  jest.useRealTimers()
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify({ blogs: [{ id: 1 }] }))
  const source = DataFile.open(file, { warn: jest.fn() })
  const { sandboxes } = make(source)
  const state = () => entered(sandboxes, 'a').data.state
  await source.commit({ blogs: [{ id: 2 }] })
  expect(state()).toEqual({ blogs: [{ id: 1 }] })
  await writeFile(file, '{"blogs": [{"id": 3}]}')
  await once(source, 'reload')
  expect(state()).toEqual({ blogs: [{ id: 3 }] })
  source.share()
  Object(source.state.blogs).push({ id: 5 })
  await source.commit(source.state)
  expect(state()).toEqual({ blogs: [{ id: 3 }] })
  source.replace({ blogs: [{ id: 6 }] })
  Object(source.state.blogs).push({ id: 7 })
  expect(state()).toEqual({ blogs: [{ id: 6 }] })
  await source.close()
})

test('the application of a sandbox is made once, for the first request that enters it', () => {
  const { sandboxes, createServer } = make()
  const sandbox = sandboxes.control('a')
  expect(createServer).not.toHaveBeenCalled()
  expect(sandbox.server()).toBe(sandbox.server())
  expect(createServer).toHaveBeenCalledTimes(1)
  expect(createServer).toHaveBeenCalledWith(sandbox)
})

test('data that cannot be served changes no sandbox, and makes none', () => {
  const { sandboxes } = make({ blogs: [] })
  const before = sandboxes.control('a')
  expect(() => sandboxes.reset('a', { blogs: 5 })).toThrow('"blogs"')
  expect(() => sandboxes.reset('b', { blogs: 5 })).toThrow('"blogs"')
  expect(entered(sandboxes, 'a')).toBe(before)
  expect(entered(sandboxes, 'b')).not.toBe(entered(sandboxes, 'b'))
})
