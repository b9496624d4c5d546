import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../../lib/is-record'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { json, logIn } from '../support/http'
import { client, killAll, Launched, type Send } from '../support/process'
import { type Errand, readingErrands, Traffic } from './traffic'

const CLIENTS = 8
const ROUNDS = 6

const data = (mark: string) => JSON.stringify({ ...sampleData(), marks: [{ id: 1, mark }] })
const rules = (mark: string) => JSON.stringify({ [`/${mark}/*`]: '/$1' })
const schemas = (mark: string) => JSON.stringify({ comments: { required: [mark] } })
const stamp = (mark: string) =>
  `module.exports = (req, res, next) => { res.setHeader('X-Stamp', '${mark}'); next() }`

let folder: string
let server: Launched
let send: Send
let token: string

beforeAll(async () => {
  folder = await newFolder({
    'db.json': data('start'),
    'routes.json': rules('start'),
    'stamp.js': stamp('start'),
    'schemas.json': schemas('start'),
  })
  server = await Launched.listening({
    folder,
    args: ['--host', '127.0.0.1', '--middlewares', './stamp.js', '--schemas', 'schemas.json'],
  })
  send = await client(server)
  token = await logIn(server.url)
})
afterAll(async () => {
  await killAll()
  await removeFolders()
})

/** Saves a text as editors do: into the file, or beside it and renamed over it. */
async function save(name: string, text: string, way: 'in place' | 'by rename'): Promise<void> {
  const file = path.join(folder, name)
  const target = way === 'in place' ? file : `${file}.new`
  await writeFile(target, text)
  if (way === 'by rename') await rename(target, file)
}

/** A file that is reloaded: its good and bad texts, and how to see that a good one is in force. */
interface Watched {
  name: string
  good: (mark: string) => string
  bad: readonly string[]
  shows: (mark: string) => Promise<boolean>
}

const WATCHED: Record<'data' | 'rules' | 'schemas' | 'middleware', Watched> = {
  data: {
    name: 'db.json',
    good: data,
    bad: ['{"posts": [', '[]', ''],
    shows: async (mark) => (await send('GET /marks/1')).text.includes(`"${mark}"`),
  },
  rules: {
    name: 'routes.json',
    good: rules,
    bad: ['{"/x/*": ', '[]', '7'],
    shows: async (mark) => (await send(`GET /${mark}/posts/1`)).status === 200,
  },
  schemas: {
    name: 'schemas.json',
    good: schemas,
    bad: ['{"tags": ', '[]', '{"tags": {"requird": []}}'],
    shows: async (mark) =>
      (await send('POST /comments', { body: {} })).text.includes(`"${mark} is required"`),
  },
  middleware: {
    name: 'stamp.js',
    good: stamp,
    bad: ['module.exports = (', 'throw new Error("no luck")', 'module.exports = "text"'],
    shows: async (mark) => (await send('GET /posts/1')).headers['x-stamp'] === mark,
  },
}

/** Saves a good text and waits until the server has said so and it is in force. */
async function saveGood({ name, good, shows }: Watched, mark: string, way: 'in place' | 'by rename') {
  let said = server.stdout.length
  const line = new RegExp(`${name.replace('.', '\\.')} was reloaded\\.\n`)
  await save(name, good(mark), way)
  do {
    // A file that is empty in the middle of a save may be reported separately.
    await server.prints(line, said)
    const found = line.exec(server.stdout.slice(said))
    said += (found?.index ?? 0) + (found?.[0].length ?? 0)
  } while (!(await shows(mark)))
}

/**
 * Saves a bad text, waits until the server has complained, and looks whether the last good state is in force.
 */
async function saveBad({ name, shows }: Watched, text: string, mark: string, way: 'in place' | 'by rename') {
  const said = server.stderr.length
  await save(name, text, way)
  await server.warns(new RegExp(`${name.replace('.', '\\.')}[^\n]+last good[^\n]+\n`), said)
  expect(await shows(mark)).toBe(true)
}

async function edit(watched: Watched): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const way = round % 2 === 0 ? 'in place' : 'by rename'
    const mark = `mark${round}`
    await saveGood(watched, mark, way)
    await saveBad(watched, watched.bad[round % watched.bad.length] ?? '', mark, way)
  }
  await saveGood(watched, 'last', 'in place')
}

async function during(errands: readonly Errand[], edits: () => Promise<void>): Promise<Traffic> {
  const traffic = new Traffic(server.url, CLIENTS, errands)
  try {
    await edits()
  } finally {
    await traffic.stop()
  }
  return traffic
}

function expectNoGap(traffic: Traffic): void {
  expect(traffic.failures).toEqual([])
  expect(traffic.answered).toBeGreaterThan(CLIENTS)
  expect(traffic.kept.size).toBe(CLIENTS / 2)
  expect(server.addresses.filter(({ family }) => family === 'IPv4').length).toBeLessThanOrEqual(1)
}

describe('while eight clients send requests', () => {
  it('reloads the data file, and serves the last good data while it is bad', async () => {
    expectNoGap(await during(readingErrands(token), () => edit(WATCHED.data)))
  })

  it.each(['rules', 'middleware'] as const)('reloads the %s, and loses no write meanwhile', async (kind) => {
    const before = await saved()
    const writes: Errand = { method: 'POST', path: '/tags', token, body: { label: kind } }
    const traffic = await during([...readingErrands(token), writes], () => edit(WATCHED[kind]))
    expectNoGap(traffic)
    const tags = (await saved()) - before
    expect(tags).toBeGreaterThan(0)
    expect(json(await send(`GET /tags?label=${kind}`))).toHaveLength(tags)
  })

  it('reloads a file that was removed and made again', async () => {
    const traffic = await during(readingErrands(token), async () => {
      for (const watched of Object.values(WATCHED)) {
        await saveGood(watched, 'before', 'in place')
        const said = server.stderr.length
        await rm(path.join(folder, watched.name))
        await server.warns(/(does not exist|ENOENT|Cannot find module).+last good.+\n/, said)
        expect(await watched.shows('before')).toBe(true)
        await saveGood(watched, 'again', 'in place')
      }
    })
    expectNoGap(traffic)
  })
})

/** How many tags are in the file. */
async function saved(): Promise<number> {
  const content: unknown = JSON.parse(await readFile(path.join(folder, 'db.json'), 'utf8'))
  return isRecord(content) && Array.isArray(content.tags) ? content.tags.length : 0
}

const mark = (name: string) => `(req, res, next) => { res.setHeader('X-Stamp', ${name}); next() }`

test.each([
  ['stamp.js', `const { mark } = require('./mark')\nmodule.exports = ${mark('mark')}`, 'mark.js'],
  ['stamp.mjs', `import { mark } from './mark.mjs'\nexport default ${mark('mark')}`, 'mark.mjs'],
  ['stamp.mjs', `import words from './mark.cjs'\nexport default ${mark('words.mark')}`, 'mark.cjs'],
  ['stamp.ts', `import { mark } from './mark'\nexport default ${mark('mark as string')}`, 'mark.ts'],
  ['stamp.ts', `import { mark } from './mark'\nexport default ${mark('mark as string')}`, 'mark.js'],
])('%s is loaded again, and with it what it loads: %#', async (name, text, other) => {
  const word = (value: string) =>
    /\.(mj|t)s$/.test(other) ? `export const mark = '${value}'` : `exports.mark = '${value}'`
  const own = await newFolder({ 'db.json': data('own'), [name]: text, [other]: word('old') })
  const started = await Launched.listening({ folder: own, args: ['--middlewares', `./${name}`] })
  const ask = await client(started)
  const stampOf = async () => (await ask('GET /marks/1')).headers['x-stamp']
  expect(await stampOf()).toBe('old')
  await writeFile(path.join(own, other), word('new'))
  await writeFile(path.join(own, name), `${text}\n`)
  await started.prints(/was reloaded/)
  expect(await stampOf()).toBe('new')
})

test('middlewares share a module after one of them has changed', async () => {
  const one = (word: string) =>
    `const shared = require('./shared')\nmodule.exports = (req, res, next) => { shared.mark = '${word}'; next() }`
  const own = await newFolder({
    'db.json': data('own'),
    'shared.js': 'exports.mark = "none"',
    'one.js': one('old'),
    'two.js': `const shared = require('./shared')\nmodule.exports = ${mark('shared.mark')}`,
  })
  const started = await Launched.listening({ folder: own, args: ['--middlewares', 'one.js', 'two.js'] })
  const ask = await client(started)
  expect((await ask('GET /marks/1')).headers['x-stamp']).toBe('old')
  await writeFile(path.join(own, 'one.js'), one('new'))
  await started.prints(/was reloaded/)
  expect((await ask('GET /marks/1')).headers['x-stamp']).toBe('new')
})
