import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { DataFile } from '../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { serveApp } from '../support/app'
import { frozen, tempFolders } from '../support/data'
import { keptFrom, listenTo, recordsOf, type StreamEvent } from '../support/events'
import { ask, askJson, json, until } from '../support/http'
import { runs } from '../support/random'

const newFolder = tempFolders()

const DATA: Data = {
  tasks: [
    { id: 1, text: 'Buy tea', done: false, listId: 1, rank: 3 },
    { id: 2, text: 'Sleep', done: true, listId: 1 },
    { id: 'c', text: 'Drink tea', listId: 2, rank: 1 },
  ],
  lists: [
    { id: 1, name: 'Home' },
    { id: 2, name: 'Work' },
  ],
  labels: ['red', 'blue'],
  profile: { name: 'Ada' },
}

/** Of every kind of GET. */
const QUERIES = [
  '/tasks',
  '/tasks?done=false',
  '/tasks?q=tea',
  '/tasks?_sort=text&_page=1&_limit=2',
  '/tasks?_start=1&_end=3',
  '/tasks?_expand=list&rank_gte=2',
  '/lists?_embed=tasks',
  '/lists/1/tasks',
  '/tasks/1',
  '/api/tasks?text_like=^b',
  '/profile',
  '/labels',
  '/db',
]

const id = fc.constantFrom<(string | number)[]>(1, 2, 3, 4, 5, 'c')
const task = fc.record(
  {
    text: fc.constantFrom('Buy tea', 'Sleep', 'tea', 'b'),
    done: fc.boolean(),
    listId: fc.constantFrom(1, 2, 3),
    rank: fc.nat(4),
  },
  { requiredKeys: [] },
)

interface Step {
  method: string
  path: string
  body?: unknown
}

const change: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: task.map((body) => ({ method: 'POST', path: '/tasks', body })) },
  {
    weight: 4,
    arbitrary: fc.tuple(id, task).map(([one, body]) => ({ method: 'PATCH', path: `/tasks/${one}`, body })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(id, task).map(([one, body]) => ({ method: 'PUT', path: `/tasks/${one}`, body })),
  },
  { weight: 4, arbitrary: id.map((one) => ({ method: 'DELETE', path: `/tasks/${one}` })) },
  { weight: 1, arbitrary: id.map((one) => ({ method: 'DELETE', path: `/lists/${one}` })) },
  {
    weight: 1,
    arbitrary: id.map((one) => ({ method: 'POST', path: '/lists', body: { name: `list ${one}` } })),
  },
  { weight: 1, arbitrary: fc.nat(3).map((name) => ({ method: 'PUT', path: '/profile', body: { name } })) },
  // What others do: code with `app.db`, and somebody who edits the file.
  { weight: 1, arbitrary: task.map((body) => ({ method: 'by hand', path: '', body })) },
)

/** Data, and how somebody else changes all of it. */
interface Source {
  data: DataSource
  edit: (change: (data: Data) => Data) => Promise<void>
}

async function inMemory(isShared: boolean): Promise<Source> {
  const data = new MemoryData(isShared ? DATA : frozen(structuredClone(DATA)), { isOwn: !isShared })
  if (isShared) data.share()
  const edit = async (change: (data: Data) => Data) => {
    data.replace(change(structuredClone(data.state)))
    await data.commit(data.state)
  }
  return { data, edit }
}

async function inFile(isShared: boolean): Promise<Source> {
  const file = path.join(await newFolder(), 'db.json')
  writeFileSync(file, JSON.stringify(DATA))
  const data = DataFile.open(file)
  if (isShared) data.share()
  const edit = async (change: (data: Data) => Data) => {
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
    await data.refresh()
  }
  return { data, edit }
}

/** Removes the first record, and adds one. */
const edited = (body: unknown) => (data: Data) => {
  const tasks = Array.isArray(data.tasks) ? data.tasks : []
  // One that another has would be nobody's.
  const id = tasks.reduce((highest, record) => Math.max(highest, Number(record.id) || 0), 9) + 1
  return { ...data, tasks: [...tasks.slice(1), { ...Object(body), id }] }
}

test.each([
  { where: 'in memory', open: () => inMemory(false) },
  { where: 'in memory that code changes by hand', open: () => inMemory(true) },
  { where: 'in a file', open: () => inFile(false) },
  { where: 'in a file that code changes by hand', open: () => inFile(true) },
])('at every step, what each stream says is what its GET gives, $where', async ({ open }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 40 }), async (changes) => {
      const { data, edit } = await open()
      const routes = { '/api/*': '/$1' }
      const server = await serveApp({ data, routes, allow: 'all' })
      const streams = await Promise.all(QUERIES.map((query) => listenTo(server.url, query)))
      for (const { method, path: target, body } of changes) {
        if (method === 'by hand') await edit(edited(body))
        else await askJson(server.url, { method, path: target, body: body ?? {} })
        await Promise.all(
          QUERIES.map((query, index) => expectSame(server.url, query, streams[index]?.events)),
        )
      }
      for (const stream of streams) stream.close()
      await server.close()
      await data.close()
    }),
    { ...runs(3), seed: 74, endOnFailure: true },
  )
})

/** Expects that a stream has said, or says soon, what its GET gives now. */
async function expectSame(url: string, query: string, events: readonly StreamEvent[] = []): Promise<void> {
  const answer = await ask(url, { path: query })
  const isAll = query === '/db'
  const expected = answer.status === 404 ? new Map() : recordsOf(json(answer), isAll)
  const kept = () => keptFrom(events, isAll)
  await until(() => sorted(kept()) === sorted(expected)).catch(() => {
    expect([query, kept()]).toEqual([query, expected])
  })
}

function sorted(kept: Map<string, unknown>): string {
  return JSON.stringify([...kept].sort(([one], [other]) => (one < other ? -1 : 1)))
}
