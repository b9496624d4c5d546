import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { DataFile } from '../../../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../../../lib/data/data-source'
import type { Data } from '../../../../lib/data/valid-data'
import { type HostedSandbox, SANDBOX_LIMITS, Sandboxes } from '../../../../lib/options/sandboxes/sandboxes'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()
const WITHOUT_TOKEN = { mayControl: false }

/** Sandboxes of this data, and the number of applications that they have made. */
function make(data: Data | DataSource = {}) {
  const app: RequestHandler = () => {}
  const tokenFor = async () => undefined
  const createServer = jest.fn(() => ({
    app,
    tokenFor,
    sessions: { refreshOnce: false, ended: { endAll() {} } },
  }))
  const source = data instanceof EventEmitter ? data : new MemoryData(data)
  return { sandboxes: new Sandboxes({ data: source, clock: Date.now, createServer }), createServer, source }
}

/** The sandbox of a request with a token. */
function entered(sandboxes: Sandboxes, name: string): HostedSandbox {
  return sandboxes.enter(name, { mayControl: true })
}

/** Stores something in a sandbox. */
function change({ data }: HostedSandbox): Promise<void> {
  return data.commit({ ...data.state, changed: [] })
}

/** Makes as many sandboxes as there can be: `0` to `199`. */
function fill(sandboxes: Sandboxes, entering = { mayControl: true }): HostedSandbox[] {
  return Array.from({ length: SANDBOX_LIMITS.count }, (_item, index) => sandboxes.enter(`${index}`, entering))
}

const full = expect.objectContaining({
  status: 503,
  message: expect.stringContaining('DELETE /__sandbox'),
  headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
})

test('there is room for 200', () => {
  expect(SANDBOX_LIMITS).toEqual({ count: 200 })
})

test('a sandbox is there from the first request that names it, and the same for the next', () => {
  const { sandboxes } = make()
  const sandbox = sandboxes.enter('a', WITHOUT_TOKEN)
  expect(sandboxes.enter('a', WITHOUT_TOKEN)).toBe(sandbox)
  expect(entered(sandboxes, 'a')).toBe(sandbox)
})

describe('over the limit', () => {
  test('the one unused longest of those without a change makes room, and its name starts anew', async () => {
    const { sandboxes } = make()
    const all = fill(sandboxes)
    for (const sandbox of all.slice(0, 10)) await change(sandbox)
    entered(sandboxes, '10')
    entered(sandboxes, 'more')
    expect(entered(sandboxes, '11')).not.toBe(all[11])
    for (const name of [0, 9, 10]) expect(entered(sandboxes, `${name}`)).toBe(all[name])
  })

  test('where all are changed, the one unused longest makes room for a request with a token', async () => {
    const { sandboxes } = make()
    const all = fill(sandboxes)
    for (const sandbox of all) await change(sandbox)
    entered(sandboxes, '0')
    entered(sandboxes, 'more')
    expect(entered(sandboxes, '0')).toBe(all[0])
    expect(entered(sandboxes, '1').data.state).toEqual({})
  })

  test('one that was changed is never pushed out by a request without a token', async () => {
    const { sandboxes } = make()
    const all = fill(sandboxes, WITHOUT_TOKEN)
    for (const sandbox of all.slice(1)) await change(sandbox)
    const more = sandboxes.enter('more', WITHOUT_TOKEN)
    await change(more)
    for (const name of ['0', 'another']) expect(() => sandboxes.enter(name, WITHOUT_TOKEN)).toThrow(full)
    for (const [index, sandbox] of all.entries())
      if (index > 0) expect(sandboxes.enter(`${index}`, WITHOUT_TOKEN)).toBe(sandbox)
  })

  test('one that a request with a token has named is never pushed out by one without, unchanged or reset', () => {
    const { sandboxes } = make()
    const named = entered(sandboxes, 'test')
    named.journal.add({ method: 'GET', path: '/', query: {} })
    sandboxes.reset('reset', {})
    const reset = sandboxes.enter('reset', WITHOUT_TOKEN)
    for (let flood = 0; flood < 2 * SANDBOX_LIMITS.count; flood += 1)
      sandboxes.enter(`flood-${flood}`, WITHOUT_TOKEN)
    expect(sandboxes.enter('test', WITHOUT_TOKEN)).toBe(named)
    expect(sandboxes.enter('reset', WITHOUT_TOKEN)).toBe(reset)
    const kept = fill(sandboxes)
    expect(() => sandboxes.enter('another', WITHOUT_TOKEN)).toThrow(full)
    for (const [index, sandbox] of kept.entries()) expect(entered(sandboxes, `${index}`)).toBe(sandbox)
  })

  test('one in which a test has set rules, a time or sessions counts as changed', () => {
    const { sandboxes } = make()
    const set = sandboxes.set('set')
    fill(sandboxes)
    expect(entered(sandboxes, 'set')).toBe(set)
  })

  test('so does one with collections of a test, and not one that was reset to the loaded data', () => {
    const { sandboxes } = make({ blogs: [] })
    sandboxes.reset('given', { blogs: [{ id: 1 }] })
    sandboxes.reset('reset', {})
    fill(sandboxes)
    expect(entered(sandboxes, 'given').data.state).toEqual({ blogs: [{ id: 1 }] })
  })

  test('existing ones can be reset, and a deleted one makes room', async () => {
    const { sandboxes } = make()
    for (const sandbox of fill(sandboxes)) await change(sandbox)
    sandboxes.reset('7', {})
    await change(entered(sandboxes, 'more'))
    expect(() => sandboxes.enter('another', WITHOUT_TOKEN)).toThrow(full)
    sandboxes.forget('8')
    sandboxes.enter('another', WITHOUT_TOKEN)
  })
})

describe('a sandbox that nothing has changed', () => {
  test('has the data as last loaded, also after an edit, and keeps its journal', () => {
    const { sandboxes, source } = make({ blogs: [{ id: 1 }] })
    const sandbox = entered(sandboxes, 'a')
    source.replace({ blogs: [{ id: 2 }] })
    expect(entered(sandboxes, 'a')).toBe(sandbox)
    expect([sandbox.data.state, sandbox.data.loaded]).toEqual([
      { blogs: [{ id: 2 }] },
      { blogs: [{ id: 2 }] },
    ])
  })

  test.each<[string, (sandbox: HostedSandbox) => unknown]>([
    ['a change', (sandbox) => change(sandbox)],
    ['code that has its state', ({ data }) => data.share()],
  ])('has its own data from %s on', async (_what, act) => {
    const { sandboxes, source } = make({ blogs: [{ id: 1 }] })
    await act(entered(sandboxes, 'a'))
    source.replace({ blogs: [{ id: 2 }] })
    expect(entered(sandboxes, 'a').data.state).toMatchObject({ blogs: [{ id: 1 }] })
  })
})

test('a sandbox shares what was loaded, and its changes reach nobody else', async () => {
  const { sandboxes, source } = make({ blogs: [{ id: 1 }], tags: [] })
  const { data } = entered(sandboxes, 'a')
  expect(data.state.blogs).toBe(source.loaded.blogs)
  await data.commit({ ...data.state, blogs: [] })
  data.share()
  Object(data.state.tags).push({ id: 'by hand' })
  for (const { state } of [entered(sandboxes, 'b').data, source])
    expect(state).toEqual({ blogs: [{ id: 1 }], tags: [] })
})

test('a sandbox has the data as it was last read or replaced, whatever requests have made of it', async () => {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, JSON.stringify({ blogs: [{ id: 1 }] }))
  const source = DataFile.open(file, { warn: jest.fn() })
  const { sandboxes } = make(source)
  const state = () => entered(sandboxes, 'a').data.state
  await source.commit({ blogs: [{ id: 2 }] })
  expect(state()).toEqual({ blogs: [{ id: 1 }] })
  const reloaded = once(source, 'reload')
  await writeFile(file, '{"blogs": [{"id": 3}]}')
  await reloaded
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
  const sandbox = entered(sandboxes, 'a')
  expect(createServer).not.toHaveBeenCalled()
  expect(sandbox.server()).toBe(sandbox.server())
  expect(createServer).toHaveBeenCalledTimes(1)
  expect(createServer).toHaveBeenCalledWith(sandbox)
})

test('data that cannot be served changes no sandbox, and makes none', () => {
  const { sandboxes } = make({ blogs: [] })
  const before = entered(sandboxes, 'a')
  expect(() => sandboxes.reset('a', { blogs: 5 })).toThrow('"blogs"')
  expect(() => sandboxes.reset('b', { blogs: 5 })).toThrow('"blogs"')
  expect(entered(sandboxes, 'a')).toBe(before)
})

test.each<{ what: string; end: (sandboxes: Sandboxes) => void }>([
  { what: 'is reset', end: (sandboxes) => sandboxes.reset('a', {}) },
  { what: 'is forgotten', end: (sandboxes) => sandboxes.forget('a') },
  { what: 'makes room', end: fill },
])('whoever watches a sandbox is told where it $what', ({ end }) => {
  const { sandboxes } = make()
  const onClosed = jest.fn()
  entered(sandboxes, 'a').data.watch({ onSaved: () => {}, onClosed })
  entered(sandboxes, 'a')
  expect(onClosed).not.toHaveBeenCalled()
  end(sandboxes)
  expect(onClosed).toHaveBeenCalledTimes(1)
})
