import { execFile, spawn } from 'node:child_process'
import { on } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { isRecord } from '../../lib/is-record'
import { testsInBrowser } from '../support/browser'
import { newFolder, removeFolders } from '../support/data'
import { type Answer, ask, authorized, json, logIn, serve } from '../support/http'
import { killAll, Launched, PROGRAMS, ROOT } from '../support/process'
import { fromNpm } from './from-npm'
import { TSC } from './installed-package'
import { commandIn, data, filesIn, sectionOf } from './recipe-page'

const MIA = { email: 'mia@example.com', password: 'sourdough' }

const { folder: packages, testWith } = fromNpm('recipes', {
  esbuild: '0.27',
  // The last for Node 20.
  eventsource: '4',
  multer: '2',
  react: '19',
  '@types/react': '19',
  '@types/react-dom': '19',
  csstype: '3',
  'react-dom': '19',
  vue: '3',
  // It requires whatever json-server is beside it.
  'json-server': '0.17.4',
  'json-server-auth': '2.1.0',
})

afterEach(killAll)
afterAll(removeFolders)

/** Makes a project of files, in which these packages can be required. */
async function makeProject(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<string> {
  const folder = await newFolder({ 'package.json': '{"type": "module"}', 'db.json': data, ...files })
  await mkdir(path.join(folder, 'node_modules'))
  for (const name of names) {
    const own = path.join(ROOT, 'node_modules', name)
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(existsSync(own) ? own : path.join(packages, name), link)
  }
  return folder
}

/** Starts the server of a recipe, by the command that it prints. */
async function start(
  heading: string,
  names: readonly string[],
): Promise<{ server: Launched; folder: string }> {
  const { args, env } = commandIn(sectionOf(heading))
  const folder = await makeProject(filesIn(sectionOf(heading)), names)
  const server = await Launched.listening({
    folder,
    env,
    args: [...args, '--host', '127.0.0.1', '--port', '0'],
  })
  return { server, folder }
}

testWith('an upload of pictures: the form makes a record, and anybody sees the picture', async () => {
  const { server, folder } = await start('Upload of pictures', ['multer'])
  const headers = { Authorization: `Bearer ${await logIn(server.url, MIA)}` }
  const send = (name: string, type: string, field: string): Promise<Response> => {
    const body = new FormData()
    body.set('title', 'Bread')
    body.set(field, new Blob(['pixels'], { type }), name)
    return fetch(`${server.url}/posts`, { method: 'POST', headers, body })
  }
  const upload = async (name: string, type: string): Promise<unknown> => {
    const response = await send(name, type, 'picture')
    expect(response.status).toBe(201)
    return response.json()
  }
  const post = await upload('my bread.png', 'image/png')
  expect(post).toEqual({
    title: 'Bread',
    picture: expect.stringMatching(/^\/uploads\/\d+-mybread\.png$/),
    id: 3,
  })
  const picture = isRecord(post) ? post.picture : undefined
  const seen = await fetch(`${server.url}${picture}`)
  expect([seen.status, seen.headers.get('content-type'), await seen.text()]).toEqual([
    200,
    'image/png',
    'pixels',
  ])
  expect(JSON.parse(await readFile(path.join(folder, 'db.json'), 'utf8')).posts[2]).toEqual(post)

  expect(await upload('page.html', 'text/html')).toEqual({ title: 'Bread', id: 4 })
  const other = await send('bread.png', 'image/png', 'image')
  expect([other.status, await other.json()]).toEqual([400, { error: expect.stringContaining('Unexpected') }])
  expect((await fetch(`${server.url}/posts`, { method: 'POST', body: new FormData() })).status).toBe(401)
  const plain = {
    method: 'POST',
    path: '/posts',
    headers: authorized(await logIn(server.url, MIA)),
    body: '{"title": "New"}',
  }
  expect(json(await ask(server.url, plain))).toEqual({ title: 'New', id: 5 })
})

describe('changes as they happen', () => {
  const heading = 'Changes as they happen'
  const { testInBrowser, browser } = testsInBrowser()
  const add = async (server: Launched, title: string) => {
    const headers = authorized(await logIn(server.url, MIA))
    const { status } = await ask(server.url, {
      method: 'POST',
      path: '/posts',
      headers,
      body: JSON.stringify({ title }),
    })
    expect(status).toBe(201)
  }

  testWith('in Node, with a token', async () => {
    const { server, folder } = await start(heading, ['eventsource'])
    const env = { ...process.env, MOCK: server.url, TOKEN: await logIn(server.url, MIA) }
    const watching = spawn(process.execPath, ['watch.mjs'], { cwd: folder, env })
    const lines = on(createInterface(watching.stdout), 'line')
    const next = async () => String((await lines.next()).value)
    expect(await next()).toBe(`loaded ${JSON.stringify(JSON.parse(data).posts)}`)
    await add(server, 'New')
    expect(await next()).toBe('created {"title":"New","id":3}')
    watching.kill()
  })

  const ENTRIES = {
    React: `import { createElement } from 'react'
      import { createRoot } from 'react-dom/client'
      import { usePosts } from './use-posts'
      import { withToken } from './with-token'
      const App = () =>
        usePosts(URL, OPEN).map(({ id, title }) => createElement('li', { key: id }, title))
      createRoot(document.querySelector('ul') ?? document.body).render(createElement(App))`,
    Vue: `import { createApp, h } from 'vue'
      import { usePosts } from './posts'
      import { withToken } from './with-token'
      const setup = () => {
        const posts = usePosts(URL, OPEN)
        return () => posts.value.map(({ title }) => h('li', title))
      }
      createApp({ setup }).mount('ul')`,
  }
  const WAYS = {
    'a cookie': {
      open: 'undefined',
      logIn: `(url) => fetch(url, { method: 'POST', credentials: 'include', body: new URLSearchParams(${JSON.stringify(MIA)}) })`,
    },
    'a header': {
      open: 'withToken',
      logIn: `async (url) => {
        const response = await fetch(url, { method: 'POST', body: new URLSearchParams(${JSON.stringify(MIA)}) })
        localStorage.setItem('token', (await response.json()).token)
      }`,
    },
  }
  const testOfPages = testWith === test ? testInBrowser : test.skip
  const rows = Object.entries(ENTRIES).flatMap(([name, entry]) =>
    Object.entries(WAYS).map(
      ([way, { open, logIn }]) => [name, way, entry.replace('OPEN', open), logIn] as const,
    ),
  )

  testOfPages.each(rows)('in %s on another port, with the token in %s', async (_name, _way, entry, enter) => {
    const names = ['eventsource', 'react', 'react-dom', 'vue', '@types/react', '@types/react-dom']
    const args = ['db.json', '--login', '/login', '--token-in', 'cookie:session']
    const local = ['--host', '127.0.0.1', '--port', '0']
    const folder = await makeProject(filesIn(sectionOf(heading)), names)
    const server = await Launched.listening({ folder, args: [...args, ...local] })
    await writeFile(path.join(folder, 'entry.ts'), entry.replace('URL', `'${server.url}/posts'`))
    const flags =
      '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom'
    const compiled = await promisify(execFile)(process.execPath, [TSC, ...flags.split(' '), 'entry.ts'], {
      cwd: folder,
    }).catch((error: unknown) => error)
    expect(compiled).toMatchObject({ stdout: '' })
    const bundler = path.join(packages, 'esbuild/bin/esbuild')
    const bundle = ['entry.ts', '--bundle', '--outfile=app.js']
    await promisify(execFile)(process.execPath, [bundler, ...bundle], { cwd: folder })
    const script = await readFile(path.join(folder, 'app.js'))
    const application = await serve((request, response) => {
      const isScript = request.url === '/app.js'
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<ul></ul>')
    })
    const page = await browser().newPage()
    await page.goto(application.url)
    await page.evaluate(`(${enter})('${server.url}/login')`)
    await page.addScriptTag({ url: '/app.js' })
    const items = page.locator('li')
    await items.nth(1).waitFor()
    await add(server, 'New')
    await items.nth(2).waitFor()
    expect(await items.allInnerTexts()).toEqual(['Hello', 'World', 'New'])
    await page.close()
    await application.close()
  })
})

/** The calls of json-server-auth's README, and what goes wrong with them. */
const OLIVIER = { email: 'olivier@mail.com', password: 'bestPassw0rd' }
const CALLS: readonly [target: string, body: unknown][] = [
  ['/register', { ...OLIVIER, firstname: 'Olivier', lastname: 'Monge', age: 32 }],
  ['/signup', { ...OLIVIER, email: 'second@mail.com' }],
  ['/login', OLIVIER],
  ['/signin', OLIVIER],
  ['/register', OLIVIER],
  ['/register', { email: 'fourth@mail.com' }],
  ['/login', { ...OLIVIER, password: 'another' }],
  ['/login', { ...OLIVIER, email: 'nobody@mail.com' }],
  ['/login', {}],
]

/** The flags and the configuration file that the table names for those who come from json-server-auth. */
function setupForJsonServerAuth(): { args: string[]; files: Record<string, string> } {
  const section = sectionOf("Your application's own login")
  const [, flags = '', key = ''] = /^\| json-server-auth \| `(.*?)`, and `(.*?)`;/m.exec(section) ?? []
  return { args: flags.split(' '), files: { 'package.json': '{}', 'json-server.json': `{${key}}` } }
}

/** A response to hold ours against: the token never is the same, and the sentence of a refusal is our own. */
function expectedBy({ status, text }: Answer): unknown {
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) return { status, body: expect.any(String) }
  const { accessToken, ...rest } = body
  const token = accessToken === undefined ? {} : { accessToken: expect.any(String) }
  return { status, body: expect.objectContaining({ ...rest, ...token }) }
}

testWith('the flags for those who come from json-server-auth respond as that does', async () => {
  const own = await makeProject({ 'package.json': '{}', 'db.json': '{"users": []}' }, ['json-server-auth'])
  const local = ['--host', '127.0.0.1', '--port', '0']
  const theirs = await Launched.listening({
    folder: own,
    program: PROGRAMS['json-server'],
    args: ['db.json', '-m', './node_modules/json-server-auth', ...local],
  })
  const { args: flags, files } = setupForJsonServerAuth()
  const args = ['db.json', ...flags, ...local]
  const folder = await makeProject({ ...files, 'db.json': '{"users": []}' }, [])
  const ours = await Launched.listening({ folder, args })
  const headers = { 'Content-Type': 'application/json' }
  for (const [target, body] of CALLS) {
    const sent = { method: 'POST', path: target, headers, body: JSON.stringify(body) }
    const [expected, found] = await Promise.all([theirs.url, ours.url].map((url) => ask(url, sent)))
    if (expected === undefined || found === undefined) throw new Error('No response.')
    const seen = { status: found.status, body: JSON.parse(found.text) }
    expect([target, body, seen]).toEqual([target, body, expectedBy(expected)])
  }

  // Its users log in, too, with the hashes of their passwords.
  const users = await readFile(path.join(own, 'db.json'), 'utf8')
  expect(users).toContain('"password": "$2')
  const hashed = await makeProject({ ...files, 'db.json': users }, [])
  const withHashes = await Launched.listening({ folder: hashed, args })
  for (const [password, status] of [
    [OLIVIER.password, 200],
    ['another', 400],
  ] as const) {
    const body = JSON.stringify({ ...OLIVIER, password })
    expect((await ask(withHashes.url, { method: 'POST', path: '/login', headers, body })).status).toBe(status)
  }
})

testWith('json-server-auth itself works with --allow all, with its guards and hashes', async () => {
  const files = { 'package.json': '{}', 'routes.json': '{"/posts*": "/640/posts$1"}' }
  const folder = await makeProject(files, ['json-server-auth'])
  const own = ['db.json', '-m', './node_modules/json-server-auth', '-r', 'routes.json']
  const server = await Launched.listening({
    folder,
    args: [...own, '--allow', 'all', '--host', '127.0.0.1', '--port', '0'],
  })
  const type = { 'Content-Type': 'application/json' }
  const send = (line: string, body?: unknown, headers: Readonly<Record<string, string>> = type) => {
    const [method = '', target = ''] = line.split(' ')
    return ask(server.url, { method, path: target, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  }
  expect((await send('POST /register', OLIVIER)).status).toBe(201)
  const { accessToken } = JSON.parse((await send('POST /login', OLIVIER)).text)
  expect((await send('GET /posts')).status).toBe(401)
  const { status, text } = await send('GET /posts', undefined, authorized(accessToken))
  expect([status, JSON.parse(text)]).toEqual([200, JSON.parse(data).posts])
  expect((await send('PATCH /posts/1', { title: 'Mine' }, authorized(accessToken))).status).toBe(403)
  expect(server.stderr).toBe('')
})

testWith('json-server-auth itself is no login here, and the start says so', async () => {
  const folder = await makeProject({ 'package.json': '{}' }, ['json-server-auth'])
  const args = ['db.json', '-m', './node_modules/json-server-auth', '--host', '127.0.0.1', '--port', '0']
  const server = await Launched.listening({ folder, args })
  await server.warns(/^Warning: .*json-server-auth/)
  const body = JSON.stringify(MIA)
  const headers = { 'Content-Type': 'application/json' }
  expect((await ask(server.url, { method: 'POST', path: '/login', headers, body })).status).toBe(401)
})
