import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { DataFile } from '../../lib/data/data-file'
import { type DataSource, MemoryData } from '../../lib/data/data-source'
import type { Data } from '../../lib/data/valid-data'
import { createApp } from '../../server'
import { ADA, tempFolders } from '../support/data'
import { ask, authorized, json, logIn, serve } from '../support/http'
import { runs } from '../support/random'

type StoredRecord = Record<string, unknown>
type Name = 'posts' | 'comments'
type Records = Data & Record<Name, StoredRecord[]>

interface Request {
  kind: 'request'
  /** Which of the two applications it is sent to. */
  app: number
  method: string
  name: Name
  id: number | string
  body: StoredRecord
}

/** How the owner of the data changes it in place, without telling the server. */
interface Edit {
  kind: 'edit'
  how: 'replace both' | 'replace one' | 'replace record' | 'change id' | 'reverse' | 'take and add'
  name: Name
  at: number
  record: StoredRecord
  others: Record<Name, StoredRecord[]>
}

const id = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom('1', 'a', '02'))
const name = fc.constantFrom<Name>('posts', 'comments')
const fields = fc.record(
  { title: fc.string({ maxLength: 3 }), postId: fc.oneof(id, fc.constantFrom(null, {}, [1])) },
  { requiredKeys: [] },
)
const record = fc.tuple(fields, id).map(([rest, key]): StoredRecord => ({ id: key, ...rest }))
const others = fc.record({
  posts: fc.array(record, { minLength: 2, maxLength: 6 }),
  comments: fc.array(record, { minLength: 2, maxLength: 6 }),
})

const request: fc.Arbitrary<Request> = fc.record({
  kind: fc.constant('request'),
  app: fc.nat({ max: 1 }),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  name,
  id,
  body: fc.oneof(fields, record),
})

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constant('edit'),
  how: fc.constantFrom(
    'replace both',
    'replace one',
    'replace record',
    'change id',
    'reverse',
    'take and add',
  ),
  name,
  at: fc.nat({ max: 5 }),
  record,
  others,
})

/** Edits the data, or the model, in place. */
function apply(state: Data, given: Edit): void {
  const { how, name: of, at, record: other, others: arrays } = structuredClone(given)
  const records = state[of]
  if (!Array.isArray(records)) throw new Error(`"${of}" is no collection.`)
  const position = at % Math.max(records.length, 1)
  if (how === 'replace both') Object.assign(state, arrays)
  else if (how === 'replace one') state[of] = arrays[of]
  else if (how === 'reverse') records.reverse()
  else if (records.length === 0) return
  else if (how === 'replace record') records[position] = other
  else if (how === 'change id') records[position].id = other.id
  else {
    records.splice(position, 1)
    records.push(other)
  }
}

/**
 * What a request must do, without an index, a cache or a file. Returns the status and the body of the
 * response.
 */
function answer(
  state: Records,
  { method, name: of, id: key, body }: Request,
): [status: number, body: unknown] {
  const records = state[of]
  if (method === 'POST') {
    if (records.some((other) => body.id !== undefined && String(other.id) === String(body.id)))
      return [409, { error: expect.stringContaining(JSON.stringify(body.id)) }]
    const ids = records.map((other) => other.id)
    const numbers = ids.filter((other) => typeof other === 'number')
    const next = numbers.length < ids.length ? expect.anything() : Math.max(...numbers, 0) + 1
    return [201, { id: next, ...body }]
  }
  const found = records.find((other) => String(other.id) === String(key))
  if (found === undefined) return [404, {}]
  if (method === 'GET') return [200, found]
  if (method === 'DELETE') {
    state[of] = records.filter((other) => other !== found)
    // Another record of the same id is still there for those that refer to it.
    const isStillThere = state[of].some((other) => String(other.id) === String(key))
    const refersTo = ({ postId }: StoredRecord): boolean =>
      typeof postId !== 'object' && postId !== undefined && String(postId) === String(key)
    if (of === 'posts' && !isStillThere)
      for (const from of ['posts', 'comments'] as const)
        state[from] = state[from].filter((other) => !refersTo(other))
    return [200, {}]
  }
  const changed = { ...(method === 'PATCH' && found), ...body, id: found.id }
  records[records.indexOf(found)] = changed
  return [200, changed]
}

interface Setting {
  source: DataSource
  /** The data, for other code that changes it. */
  owned?: (app: object) => Data
  saved?: () => Promise<unknown>
}

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

// After all is closed: until then the source may write.
const newFolder = tempFolders()

async function dataFile(): Promise<Setting> {
  const file = path.join(await newFolder(), 'db.json')
  await writeFile(file, '{}')
  return { source: DataFile.open(file), saved: async () => JSON.parse(await readFile(file, 'utf8')) }
}

const settings: [title: string, open: () => Promise<Setting>][] = [
  ['a data file', dataFile],
  [
    'a data file that a middleware changes too',
    async () => ({ ...(await dataFile()), owned: (app) => Reflect.get(app, 'db').getState() }),
  ],
  ['data in memory', async () => ({ source: new MemoryData({}) })],
  [
    'data in memory that its owner changes too',
    async () => {
      const source = new MemoryData({})
      return { source, owned: () => source.state }
    },
  ],
]

it.each(settings)('two applications over %s do what a plain model does', async (_title, open) => {
  const { source, owned, saved } = await open()
  closing.push(() => source.close())
  const users = [{ id: 1, ...ADA }]
  source.replace({ users })
  const secret = 'the same secret for both of the applications'
  const apps = [1, 2].map(() => createApp({ data: source, secret, log: false }))
  const servers = await Promise.all(apps.map((app) => serve(app)))
  closing.push(...servers.map((server) => server.close))
  const headers = authorized(await logIn(servers[0]?.url ?? ''))
  const send = (app: number, method: string, target: string, body?: unknown) =>
    ask(servers[app]?.url ?? '', {
      method,
      path: target,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const steps = fc.array(owned === undefined ? request : fc.oneof(request, edit), {
    minLength: 8,
    maxLength: 16,
  })
  await fc.assert(
    fc.asyncProperty(others, steps, async (loaded, list) => {
      const model: Records = structuredClone({ users, ...loaded })
      source.replace(structuredClone(model))
      for (const step of list) {
        if (step.kind === 'edit') {
          apply(model, step)
          if (owned !== undefined && apps[0] !== undefined) apply(owned(apps[0]), step)
          continue
        }
        const { app, method, name: of, id: key, body } = step
        const target = method === 'POST' ? `/${of}` : `/${of}/${key}`
        const expected = answer(model, step)
        const response = await send(app, method, target, method === 'GET' ? undefined : body)
        expect([step, response.status, json(response)]).toEqual([step, ...expected])
        if (response.status === 201) model[of].push(JSON.parse(response.text))
        expect(json(await send(1 - app, 'GET', '/db'))).toEqual(model)
      }
      await source.commit(source.state)
      expect(source.state).toEqual(model)
      if (saved !== undefined) expect(await saved()).toEqual(model)
    }),
    runs(8),
  )
})
