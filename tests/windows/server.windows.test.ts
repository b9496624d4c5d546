import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../../lib/is-record'
import { ADA, newFolder, removeFolders, sampleData } from '../support/data'
import { type Answer, ask, askJson, authorized, json, logIn } from '../support/http'
import {
  endAll,
  holdOpen,
  makeDrives,
  serverArguments,
  startServer,
  testOnWindows,
  WindowsProcess,
  windowsPath,
} from './wine'

beforeAll(makeDrives)
afterEach(endAll)
afterAll(removeFolders)

const DATA = JSON.stringify(sampleData())
const OPEN = ['--allow', 'all']

function post(url: string, note: number): Promise<Answer> {
  return askJson(url, { method: 'POST', path: '/tags', body: { note } })
}

/** The notes of the tags in a file. */
async function notesIn(file: string): Promise<unknown[]> {
  const { tags }: { tags: unknown[] } = JSON.parse(await readFile(file, 'utf8'))
  return tags.map((tag) => isRecord(tag) && tag.note)
}

testOnWindows(
  'logs in and saves, in a folder with a space and an umlaut, at a path with a drive',
  async () => {
    const folder = await newFolder({
      'my dätä/db.json': `\uFEFF${JSON.stringify(sampleData(), null, 2)}`.replaceAll('\n', '\r\n'),
    })
    const file = path.join(folder, 'my dätä/db.json')
    const { url } = await startServer(folder, [windowsPath(file)])
    expect(json(await ask(url, { path: '/tags' }))).toBe('Unauthorized')
    const headers = authorized(await logIn(url, ADA))
    const made = await askJson(url, { method: 'POST', path: '/tags', body: { note: 1 }, headers })
    expect(made.status).toBe(201)
    expect(await notesIn(file)).toContain(1)
  },
)

testOnWindows('takes middlewares of each kind, rules, static files and a page', async () => {
  const sets = (name: string) =>
    `(request, response, next) => { response.setHeader('X-${name}', 'yes'); next() }`
  const folder = await newFolder({
    'db.json': DATA,
    'routes.json': JSON.stringify({ '/api/*': '/$1' }),
    'one.js': `module.exports = ${sets('One')}`,
    'two.cjs': `module.exports = ${sets('Two')}`,
    'three.mjs': `export default ${sets('Three')}`,
    'four.ts': `import type { RequestHandler } from 'express'\nconst four: RequestHandler = ${sets('Four')}\nexport default four`,
    'pages/note.txt': 'A note.',
  })
  const middlewares = ['one.js', 'two.cjs', 'three.mjs', 'four.ts']
  const flags = [
    '-m',
    ...middlewares,
    '--routes',
    'routes.json',
    '--static',
    'pages',
    '--docs',
    '--sandboxes',
    '--openid',
  ]
  const { url } = await startServer(folder, ['db.json', ...flags])
  const headers = authorized(await logIn(url, ADA))
  const answer = await ask(url, { path: '/api/posts', headers })
  expect([answer.status, Object(json(answer)).length]).toEqual([200, 2])
  for (const name of ['one', 'two', 'three', 'four'])
    expect(answer.headers).toHaveProperty(`x-${name}`, 'yes')
  expect((await ask(url, { path: '/note.txt', headers })).text).toBe('A note.')
  for (const page of ['/docs', '/.well-known/openid-configuration'])
    expect((await ask(url, { path: page })).status).toBe(200)
  const inSandbox = { ...headers, 'X-Sandbox': 'one' }
  expect((await ask(url, { path: '/tags/a1b2', method: 'DELETE', headers: inSandbox })).status).toBe(200)
  const left = [
    await ask(url, { path: '/tags/a1b2', headers: inSandbox }),
    await ask(url, { path: '/tags/a1b2', headers }),
  ]
  expect(left.map(({ status }) => status)).toEqual([404, 200])
})

testOnWindows(
  'loads data that an editor writes in place or renames, rules and middlewares again, with --watch',
  async () => {
    const folder = await newFolder({
      'db.json': DATA,
      'routes.json': '{}',
      'more.cjs': 'module.exports = (request, response, next) => next()',
    })
    const flags = ['--watch', '--routes', 'routes.json', '-m', 'more.cjs', ...OPEN]
    const { server, url } = await startServer(folder, ['db.json', ...flags])
    await writeFile(path.join(folder, 'db.json'), JSON.stringify({ first: [{ id: 1 }] }))
    await server.prints(/db\.json was reloaded/)
    expect((await ask(url, { path: '/first' })).status).toBe(200)
    await writeFile(path.join(folder, 'other.json'), JSON.stringify({ second: [{ id: 1 }] }))
    await rename(path.join(folder, 'other.json'), path.join(folder, 'db.json'))
    await server.prints(/db\.json was reloaded[\s\S]*db\.json was reloaded/)
    expect((await ask(url, { path: '/second' })).status).toBe(200)
    await writeFile(path.join(folder, 'routes.json'), JSON.stringify({ '/api/*': '/$1' }))
    await server.prints(/routes\.json was reloaded/)
    expect((await ask(url, { path: '/api/second' })).status).toBe(200)
    const tea = 'module.exports = (request, response) => response.status(418).end()'
    await writeFile(path.join(folder, 'more.cjs'), tea)
    await server.prints(/more\.cjs was reloaded/)
    expect((await ask(url, { path: '/second' })).status).toBe(418)
  },
)

testOnWindows('serves a folder of files, and saves each', async () => {
  const folder = await newFolder({ 'data/tags.json': '[]', 'data/profile.json': '{"name":"Ada"}' })
  const { url } = await startServer(folder, ['data', ...OPEN])
  expect((await post(url, 1)).status).toBe(201)
  expect(JSON.parse(await readFile(path.join(folder, 'data/tags.json'), 'utf8'))).toMatchObject([{ note: 1 }])
})

testOnWindows(
  'a file that another program holds open makes a change wait and be refused; a later one is stored',
  async () => {
    const folder = await newFolder({ 'db.json': DATA })
    const { url } = await startServer(folder, ['db.json', ...OPEN])
    expect((await post(url, 1)).status).toBe(201)
    const holder = await holdOpen(path.join(folder, 'db.json'))
    const refused = await post(url, 2)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    await holder.kill()
    expect((await post(url, 3)).status).toBe(201)
    expect((await notesIn(path.join(folder, 'db.json'))).slice(1)).toEqual([1, 3])
  },
)

testOnWindows('two servers on one file lose nothing', async () => {
  const folder = await newFolder({ 'db.json': DATA })
  const servers = [
    await startServer(folder, ['db.json', ...OPEN]),
    await startServer(folder, ['db.json', ...OPEN]),
  ]
  const stored: number[] = []
  for (let note = 0; note < 20; note += 1) {
    const { url = '' } = servers[note % 2] ?? {}
    if ((await post(url, note)).status === 201) stored.push(note)
  }
  expect(await notesIn(path.join(folder, 'db.json'))).toEqual(expect.arrayContaining(stored))
  expect(stored.length).toBeGreaterThan(0)
})

testOnWindows(
  'nothing that was acknowledged is lost when it is killed in a burst of changes, 20 times',
  async () => {
    const folder = await newFolder({ 'db.json': DATA })
    const file = path.join(folder, 'db.json')
    const acknowledged: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const { server, url } = await startServer(folder, ['db.json', ...OPEN])
      const burst = Array.from({ length: 20 }, async (_, index) => {
        const note = round * 20 + index
        const { status } = await post(url, note)
        if (status !== 201) return
        acknowledged.push(note)
        if (index === round) await server.kill()
      })
      await Promise.allSettled(burst)
      await server.kill()
    }
    await startServer(folder, ['db.json', ...OPEN])
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(await notesIn(file)).toEqual(expect.arrayContaining(acknowledged))
    const others = (await readdir(folder)).filter((name) => name.includes('.saving-'))
    expect(others).toEqual([])
  },
)

testOnWindows('saves a snapshot by s and Enter, typed at a console', async () => {
  const folder = await newFolder({ 'db.json': DATA })
  const server = await WindowsProcess.startAtConsole(folder, serverArguments(['db.json', ...OPEN]))
  await server.prints(/Ctrl\+C/)
  server.type('s\r')
  const [name] = await server.prints(/db-\d+\.json/)
  expect(JSON.parse(await readFile(path.join(folder, name), 'utf8'))).toEqual(sampleData())
})
