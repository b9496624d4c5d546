import fs, { mkdirSync, writeFileSync } from 'node:fs'
import promises, { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { DataFile } from '../../lib/data/data-file'
import { FolderData } from '../../lib/data/folder-data'
import { createApp } from '../../server'
import { makeFolder, makeProject, sampleData } from '../support/data'
import { ask, question, serve, type TestServer } from '../support/http'
import { servePlain } from '../support/json-server'
import { hasLinks, socketPath, testOfLinks } from '../support/platform'

const SECRET = 'lovelace'
const RULES = { '/app.js': '/users', '/*.html': '/blogs', '/old': '/app.js' }

const socket = createServer()
let folder: string
let plain: TestServer
let ours: TestServer
let data: DataFile

async function makeLinks(within: string, links: Readonly<Record<string, string>>): Promise<void> {
  if (hasLinks)
    for (const [name, target] of Object.entries(links)) await symlink(target, path.join(within, name))
}

beforeAll(async () => {
  const project = await makeFolder()
  folder = path.join(project, 'public')
  const files: Record<string, string> = {
    'index.html': '<h1>Home</h1>',
    'app.js': 'const tea = "green"\n'.repeat(500),
    'tea.png': 'no picture',
    'a b.html': 'A space',
    'guide/index.html': '<h1>Guide</h1>',
    'blogs/index.html': '<h1>Blogs</h1>',
    'empty/keep.txt': 'Kept',
    blog: 'the file',
    '.secret': SECRET,
    '.git/config': SECRET,
    'auth/login': 'the file',
    'blogs/1': 'the file',
    'db.json': JSON.stringify(sampleData()),
    'db.json.lock': SECRET,
    'db.json~': SECRET,
    '#db.json#': SECRET,
    '~$db.json': SECRET,
    'db.json.saving-1': SECRET,
    'db.jsonp.html': 'A page about JSONP',
    'db-1712345678901.json': SECRET,
    'DB.JSON.bak': SECRET,
    'DB-1712345678902.JSON': SECRET,
    'my-db-1.json': 'no snapshot',
    'db-1.json.html': 'no snapshot',
    'db-one.json': 'no snapshot',
    'guide/db.json': 'no data file',
    'odd/index.html/keep.txt': 'Kept',
    'json-server.json': SECRET,
    // What Windows would find under its other names for .git and the snapshot.
    'GIT~1/config': SECRET,
    'db-1712345678901.json::$DATA': SECRET,
    '../key.pem': SECRET,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const links = {
    'users.txt': 'db.json',
    'snapshot.txt': 'db-1712345678901.json',
    'notes.txt': '../key.pem',
    up: '..',
    'guide/script.js': '../app.js',
  }
  await makeLinks(folder, links)
  await link(path.join(folder, '../key.pem'), path.join(folder, 'more-notes.txt'))
  await new Promise<void>((resolve) => {
    socket.listen(socketPath(path.join(folder, 'socket')), resolve)
  })

  data = DataFile.open(path.join(folder, 'db.json'))
  plain = await servePlain(sampleData(), { static: folder, routes: RULES })
  ours = await serve(
    createApp({
      data,
      static: folder,
      privateFiles: [
        path.join(folder, 'json-server.json'),
        path.join(folder, '../key.pem'),
        'not-there.json',
        path.join(folder, 'nowhere/key.pem'),
        path.join(folder, 'app.js/key.pem'),
      ],
      routes: RULES,
      log: false,
    }),
  )
})
afterAll(async () => {
  await Promise.all([plain.close(), ours.close()])
  await data.close()
  socket.close()
})

const FOLLOWED: [string, string, Record<string, string>][] = [
  ['a symbolic link in the folder', 'GET /guide/script.js', {}],
]

describe('a file is served as json-server serves it, before every rule', () => {
  it.each<[why: string, line: string, headers: Record<string, string>]>([
    ...(hasLinks ? FOLLOWED : []),
    ['the start page', 'GET /', {}],
    ['by its name', 'GET /index.html', {}],
    ['a script', 'GET /app.js', {}],
    ['compressed', 'GET /app.js', { 'Accept-Encoding': 'gzip' }],
    [
      'compressed otherwise, for another origin, with a query',
      'GET /app.js?v=2',
      { 'Accept-Encoding': 'br', Origin: 'https://app.example' },
    ],
    ['unchanged since', 'GET /app.js', { 'If-Modified-Since': new Date(Date.now() + 10_000).toUTCString() }],
    ['a part', 'GET /app.js', { Range: 'bytes=0-9' }],
    ['a type that is not compressed', 'GET /tea.png', { 'Accept-Encoding': 'gzip' }],
    ['the headers', 'HEAD /app.js', {}],
    ['a space in the name', 'GET /a%20b.html', {}],
    ['a folder without a slash', 'GET /guide', {}],
    ['a folder', 'GET /guide/', {}],
    ['a folder named as a collection', 'GET /blogs/', {}],
    ["an empty folder's file", 'GET /empty/keep.txt', {}],
    ['a file named as a collection', 'GET /blog', {}],
    ["a name that begins like the data file's", 'GET /db.jsonp.html', {}],
    ["a name that ends like a snapshot's", 'GET /my-db-1.json', {}],
    ["a page that begins like a snapshot's", 'GET /db-1.json.html', {}],
    ["a snapshot's name without a time", 'GET /db-one.json', {}],
    ["the data file's name in another folder", 'GET /guide/db.json', {}],
    ['two slashes', 'GET //app.js', {}],
  ])('%s: %s %j', async (_why, line, headers) => {
    const [method = '', target = ''] = line.split(' ')
    const [theirs, own] = await Promise.all(
      [plain, ours].map(({ url }) => ask(url, { method, path: target, headers })),
    )
    expect(theirs?.status).toBeLessThan(400)
    const { date: _date, 'x-powered-by': _express, ...expected } = theirs?.headers ?? {}
    expect(own?.headers).toEqual({ ...expected, date: expect.any(String) })
    expect(own?.status).toBe(theirs?.status)
    expect(own?.bytes).toEqual(theirs?.bytes)
  })
})

it.each([
  ['a dotfile', '/.secret'],
  ['in a folder with a dot', '/.git/config'],
  ['behind two slashes', '//.git/config'],
  ['with encoded characters', '/%2egit%2fconfig'],
  ['by way of another folder', '/guide/../.git/config'],
  ['by an encoded way', '/guide%2f..%2f.git/config'],
  ['the data file', '/db.json'],
  ['in capitals', '/DB.json'],
  ['a copy of it in capitals', '/DB.JSON.bak'],
  ['with an encoded letter', '/d%62.json'],
  ['by way of another folder', '/guide/../db.json'],
  ['through a link to the folder above', '/up/public/db.json'],
  ['its lock', '/db.json.lock'],
  ["an editor's copy", '/db.json~'],
  ["another editor's copy", '/%23db.json%23'],
  ["an office program's lock", '/~$db.json'],
  ['a staged file', '/db.json.saving-1'],
  ['a link to the data file', '/users.txt'],
  ['a snapshot', '/db-1712345678901.json'],
  ['a snapshot in capitals', '/DB-1712345678902.JSON'],
  ['a link to a snapshot', '/snapshot.txt'],
  ['the configuration', '/json-server.json'],
  ['a symbolic link to the key', '/notes.txt'],
  ['a hard link to the key', '/more-notes.txt'],
  ['a key above the folder, through a link', '/up/key.pem'],
  ['a key above the folder', '/..%2fkey.pem'],
  ['a zero byte', '/app.js%00'],
  ['a name that cannot be decoded', '/%E0%A4%A'],
  ['a folder without a start page', '/empty'],
  ['the same with a slash', '/empty/'],
  ['a folder named as a start page', '/odd'],
  ['the same with a slash', '/odd/'],
  ['a socket', '/socket'],
  ['a file named as a folder', '/app.js/'],
  ['nothing', '/nothing'],
])('%s is not served: GET %s', async (_why, target) => {
  const response = await ask(ours.url, { path: target })
  expect(response.text).toBe('"Unauthorized"')
  expect(response.headers['cache-control']).toBe('no-cache')
})

it.each([
  ['POST', '/app.js', 401],
  ['GET', '/auth/login', 401],
  ['GET', '/blogs', 200],
  ['GET', '/blogs/1', 200],
  ['GET', '/api/users.php', 200],
])('%s %s goes to the service, not to a file', async (method, target, status) => {
  const response = await ask(ours.url, { method, path: target })
  expect(response.status).toBe(status)
  expect(response.text).not.toContain('the file')
})

it('serves the page of a folder at the path of a login', async () => {
  const data = { users: [{ id: 1, email: 'ada@example.com', password: 'secret' }] }
  const other = await serve(createApp({ data, static: folder, login: '/guide', log: false }))
  expect((await ask(other.url, { path: '/guide/' })).text).toBe('<h1>Guide</h1>')
  const login = question('POST /guide {"email": "ada@example.com", "password": "secret"}')
  expect((await ask(other.url, login)).status).toBe(200)
  await other.close()
})

it('serves a file at the path of a public read if the data has no such collection', async () => {
  const other = await serve(createApp({ data: { users: [] }, static: folder, log: false }))
  expect((await ask(other.url, { path: '/blogs/1' })).text).toBe('the file')
  await other.close()
})

it('serves a file that has the number of a private one on another device', async () => {
  const { ino } = await promises.stat(path.join(folder, 'app.js'), { bigint: true })
  const { stat } = promises
  const elsewhere = jest.spyOn(promises, 'stat').mockImplementation(async (file, options) => {
    const found = await stat(file, options)
    return String(file).endsWith('key.pem') ? Object.assign(found, { ino, dev: -1n }) : found
  })
  const { status } = await ask(ours.url, { path: '/app.js' })
  expect(elsewhere).toHaveBeenCalledWith(expect.stringMatching(/key\.pem$/), { bigint: true })
  elsewhere.mockRestore()
  expect(status).toBe(200)
})

testOfLinks('keeps the data file private when a write has replaced it', async () => {
  const project = await makeFolder()
  await mkdir(path.join(project, 'public'))
  const file = path.join(project, 'public/db.json')
  await writeFile(file, JSON.stringify(sampleData()))
  await symlink(file, path.join(project, 'public/link'))
  const source = DataFile.open(file)
  const server = await serve(createApp({ data: source, static: path.join(project, 'public'), log: false }))
  for (let round = 0; round < 5; round += 1) {
    await source.commit(source.state)
    for (const target of ['/db.json', '/link']) {
      expect((await ask(server.url, { path: target })).status).toBe(401)
    }
  }
  await server.close()
  await source.close()
})

it('sends a file uncompressed if nothing may be compressed', async () => {
  const other = await serve(createApp({ data: sampleData(), static: folder, gzip: false, log: false }))
  const answer = await ask(other.url, { path: '/app.js', headers: { 'Accept-Encoding': 'gzip' } })
  expect(answer.headers).not.toHaveProperty('content-encoding')
  expect(answer.text).toContain('const tea')
  await other.close()
})

it('responds in JSON to a range that does not exist', async () => {
  const response = await ask(ours.url, { path: '/app.js', headers: { Range: 'bytes=99999-' } })
  expect(response.status).toBe(416)
  expect(JSON.parse(response.text)).toEqual({ error: 'Range Not Satisfiable.' })
  expect(response.headers['content-range']).toBe('bytes */10000')
})

describe('a file that is not served cannot be told from a missing one', () => {
  const outside = '..%2f'.repeat(20)

  it.each([
    [`/${outside}etc%2fpasswd`, `/${outside}etc%2fnothing`],
    ['/..%2fkey.pem', '/..%2fnothing.pem'],
    ['/guide%2f..%2f..%2fkey.pem', '/guide%2f..%2f..%2fnothing.pem'],
    ['/..%5ckey.pem', '/..%5cnothing.pem'],
    [`/..%2f${'x'.repeat(300)}`, '/..%2fx'],
    ['/..%2fkey.pem%00', '/..%2fnothing.pem%00'],
    ['/.secret', '/.nothing'],
    ['/.git/config', '/.git/nothing'],
    ['/db.json', '/db.json.nothing'],
    ['/db.json~', '/db.json~nothing'],
    ['/db-1712345678901.json', '/db-1.json'],
  ])('%s is like %s', async (present, missing) => {
    const gzip = { 'Accept-Encoding': 'gzip' }
    const marks = async (target: string) => {
      const { status, headers, text } = await ask(ours.url, { path: target, headers: gzip })
      return { status, headers: Object.entries({ ...headers, date: '' }), text }
    }
    const found = await marks(present)
    expect(found.status).toBe(401)
    expect(found).toEqual(await marks(missing))
  })

  it.each([
    `GET /${outside}etc%2fpasswd`,
    'GET /..%2fkey.pem',
    'GET /..%5ckey.pem',
    'GET /.git/config',
    'GET /blogs',
    'POST /app.js',
    'DELETE /app.js',
  ])('%s looks at no file', async (line) => {
    const [method = '', target = ''] = line.split(' ')
    const looks = countLooks()
    await ask(ours.url, { method, path: target })
    expect(looks()).toBe(0)
  })
})

/** @returns a function that stops counting, and gives the number of times that a file was examined */
function countLooks(): () => number {
  const spies = [jest.spyOn(promises, 'stat'), jest.spyOn(promises, 'realpath'), jest.spyOn(fs, 'stat')]
  return () => {
    const calls = spies.reduce((count, spy) => count + spy.mock.calls.length, 0)
    for (const spy of spies) spy.mockRestore()
    return calls
  }
}

testOfLinks('keeps files private that are named after a link to the data file', async () => {
  const project = await makeFolder()
  const files = ['data/real.json', 'data/real.json~', 'db.json~', 'db.json.bak', '#db.json#']
  await mkdir(path.join(project, 'data'))
  for (const name of files) await writeFile(path.join(project, name), JSON.stringify(sampleData()))
  await symlink('real.json', path.join(project, 'data/link.json'))
  await symlink('data/link.json', path.join(project, 'db.json'))
  await symlink('db.json~', path.join(project, 'notes.txt'))
  await symlink('data', path.join(project, 'more'))
  // The folder has another name for the data file than for the static files.
  await symlink('.', path.join(project, 'alias'))
  const source = DataFile.open(path.join(project, 'alias/db.json'))
  const server = await serve(createApp({ data: source, static: project, log: false }))
  const links = ['db.json', 'data/link.json', 'notes.txt', 'more/real.json']
  const statuses: Record<string, number> = {}
  for (const name of [...files, ...links])
    statuses[name] = (await ask(server.url, { path: `/${encodeURIComponent(name)}` })).status
  await server.close()
  await source.close()
  expect(statuses).toEqual(Object.fromEntries([...files, ...links].map((name) => [name, 401])))
})

testOfLinks('serves nothing if it cannot tell which files are private', async () => {
  const project = await makeFolder()
  await symlink('key.pem', path.join(project, 'key.pem'))
  await writeFile(path.join(project, 'tea.txt'), 'green')
  const privateFiles = [path.join(project, 'key.pem')]
  const settings = { data: sampleData(), static: project, log: false }
  const server = await serve(createApp({ ...settings, privateFiles }))
  expect((await ask(server.url, { path: '/tea.txt' })).status).toBe(401)
  expect((await ask(server.url, { path: '/blogs' })).status).toBe(200)
  await server.close()
})

test.each([
  ['a dotfile by its short name', '/GIT~1/config'],
  ['a snapshot by its stream', '/db-1712345678901.json::$DATA'],
  ['the same, encoded', '/db-1712345678901.json%3a%3a%24DATA'],
])('on Windows nobody gets %s', async (_why, target) => {
  const { platform } = process
  Object.defineProperty(process, 'platform', { value: 'win32' })
  try {
    expect((await ask(ours.url, { path: target })).status).toBe(401)
    expect((await ask(ours.url, { path: '/app.js' })).status).toBe(200)
  } finally {
    Object.defineProperty(process, 'platform', { value: platform })
  }
})

describe('a folder of data, of which nothing is served:', () => {
  const files = {
    'index.html': 'The page.',
    'db/users.json': '[]',
    'db/notes.txt': 'A note.',
    'db/posts.bak': '[]',
    'db/sub/posts.json': '[]',
    'db/sub/index.html': 'A page.',
    'db2/posts.json': 'no data',
  }

  /** The statuses of files, where a folder is served beside the data or around it. */
  async function statusesOf(served: string, paths: string[]) {
    const project = await makeProject(files)
    const links = { alias: 'db', 'db/sub/link': '../posts.bak', link: 'db/posts.bak' }
    await makeLinks(project, links)
    const source = FolderData.open(path.join(project, 'db'))
    const server = await serve(createApp({ data: source, static: path.join(project, served), log: false }))
    for (const name of ['tags.json', 'users.json~']) writeFileSync(path.join(project, 'db', name), '[]')
    const statuses: [string, number][] = []
    for (const target of paths) statuses.push([target, (await ask(server.url, { path: target })).status])
    await server.close()
    await source.close()
    await rm(project, { recursive: true })
    return Object.fromEntries(statuses)
  }

  test('no file in it, whatever its name, none that is added, and none in a folder of it', async () => {
    const names = [
      'users.json',
      'tags.json',
      'users.json~',
      '.lock',
      'notes.txt',
      'posts.bak',
      'sub/posts.json',
    ]
    const hidden = [...names, 'sub/', ''].flatMap((name) => [`/db/${name}`, `/alias/${name}`]).concat('/link')
    const statuses = await statusesOf('.', [...hidden, '/', '/db2/posts.json'])
    expect(statuses).toEqual({
      ...Object.fromEntries(hidden.map((target) => [target, 401])),
      '/': 200,
      '/db2/posts.json': 200,
    })
  })

  test('nothing at all, where it is the folder that is served', async () => {
    expect(await statusesOf('db', ['/notes.txt', '/sub/'])).toEqual({ '/notes.txt': 401, '/sub/': 401 })
  })

  test('but what is in a folder of it that is served, and nothing to which a link leads out of that', async () => {
    expect(await statusesOf('db/sub', ['/', '/posts.json', '/link'])).toEqual({
      '/': 200,
      '/posts.json': 200,
      '/link': 401,
    })
  })
})
