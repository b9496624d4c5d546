import { exec, execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import path from 'node:path'
import { promisify } from 'node:util'
import { isRecord } from '../../lib/is-record'
import { newFolder, removeFolders } from '../support/data'
import { type Answer, ask, authorized, json, logIn } from '../support/http'
import { killAll, Launched, PROGRAMS, ROOT } from '../support/process'
import { blocks, commandIn, data, filesIn, sectionOf, sections, TRIED_WITH_NPM } from './recipe-page'

const run = promisify(execFile)

const MIA = { email: 'mia@example.com', password: 'sourdough' }
const NOAH = { email: 'noah@example.com', password: 'rye' }

const tried = new Set<string>()
let server: Launched
let folder: string

/** Makes a project of these files, in which this package and what comes with it can be required. */
async function makeProject(files: Readonly<Record<string, string>>): Promise<void> {
  folder = await newFolder({ 'package.json': '{"type": "module"}', 'db.json': data, ...files })
  const modules = path.join(folder, 'node_modules')
  const installed = path.join(modules, 'json-server-bearer')
  await mkdir(installed, { recursive: true })
  await writeFile(
    path.join(installed, 'index.js'),
    `module.exports = require(${JSON.stringify(PROGRAMS.ours[0])})`,
  )
  await symlink(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'))
  await symlink(path.join(ROOT, 'node_modules/jsonwebtoken'), path.join(modules, 'jsonwebtoken'))
}

/** Makes the project of a recipe, with the files that it prints. */
async function makeRecipe(heading: string): Promise<string> {
  tried.add(heading)
  const section = sectionOf(heading)
  await makeProject(filesIn(section))
  return section
}

/** Starts the server of a recipe by the command line that it prints, and with more flags. */
async function start(heading: string, more: readonly string[] = []): Promise<void> {
  const { args, env } = commandIn(await makeRecipe(heading))
  expect(args[0]).toBe('db.json')
  await launch([...args, ...more], env)
}

async function launch(args: readonly string[], env?: Record<string, string>): Promise<void> {
  server = await Launched.listening({ folder, env, args: [...args, '--host', '127.0.0.1', '--port', '0'] })
}
afterEach(killAll)
afterAll(removeFolders)

async function send(line: string, as?: typeof MIA, body?: unknown): Promise<Answer> {
  const [method = '', target = ''] = line.split(' ')
  const headers = as ? authorized(await logIn(server.url, as)) : { 'Content-Type': 'application/json' }
  return ask(server.url, { method, path: target, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

async function statusOf(line: string, as?: typeof MIA, body?: unknown): Promise<number> {
  return (await send(line, as, body)).status
}

/** What the response to a login or a sign-up says; the token is one of the headers of a request. */
async function enter(line: string, body: unknown) {
  const { status, text } = await send(line, undefined, body)
  const said: unknown = JSON.parse(text)
  const { token, user, ...others } = isRecord(said) ? said : {}
  return { status, user, others, headers: authorized(String(token)) }
}

test("your application's own login: each of its calls", async () => {
  await start("Your application's own login", ['--user', 'admin:secret'])
  const eve = { username: 'eve', password: 'apple', confirmPassword: 'apple', age: 5 }
  const joined = await enter('POST /api/register', eve)
  expect(joined).toMatchObject({ status: 201, user: { username: 'eve', age: 5, id: 3 } })
  expect((await enter('POST /api/register', eve)).status).toBe(409)
  for (const { password, ...names } of [
    { username: 'eve', password: 'apple' },
    { username: 'Mia', password: 'sourdough' },
    { email: NOAH.email, password: NOAH.password },
    { username: 'admin', password: 'secret' },
  ]) {
    const { status, headers, user } = await enter('POST /api/login', { ...names, password })
    expect(status).toBe(200)
    expect((await ask(server.url, { path: '/api/posts', headers })).status).toBe(200)
    expect(json(await ask(server.url, { path: '/api/me', headers }))).toMatchObject({ user })
    expect((await ask(server.url, { method: 'POST', path: '/api/logout', headers })).status).toBe(200)
    expect((await ask(server.url, { path: '/api/posts', headers })).status).toBe(401)
  }
  expect(await statusOf('POST /api/login', undefined, { username: 'eve', password: 'x' })).toBe(401)
  expect(readFileSync(path.join(folder, 'db.json'), 'utf8')).toContain('"eve"')
})

test('the calls of json-server-auth and of fake-api-jwt-json-server', async () => {
  await makeProject({ 'json-server.json': '{"login-refusal": {"status": 400, "body": "$message"}}' })
  const paths = ['--login', '/login', '--login', '/signin', '--sign-up', '/register', '--sign-up', '/signup']
  await launch(['db.json', ...paths, '--sign-up', '/auth/register'])
  for (const [index, target] of ['/register', '/signup', '/auth/register'].entries()) {
    const fields = { email: `${index}olivier@mail.com`, password: 'bestPassw0rd', age: 32 }
    const { status, others, user } = await enter(`POST ${target}`, fields)
    expect([status, others.accessToken, others.access_token]).toEqual([
      201,
      expect.any(String),
      expect.any(String),
    ])
    expect(user).toEqual({ email: fields.email, age: 32, id: 3 + index })
    for (const login of ['/login', '/signin'])
      expect(await enter(`POST ${login}`, fields)).toMatchObject({ status: 200, user })
    expect(await statusOf('POST /auth/login', undefined, fields)).toBe(200)
  }
  const wrong = await send('POST /login', undefined, { ...MIA, password: 'x' })
  expect([wrong.status, json(wrong)]).toEqual([400, expect.any(String)])
})

test('log in by OpenID Connect: a code for a person, and tokens for the code', async () => {
  await start('Log in by OpenID Connect')
  const found = json(await send('GET /realms/demo/.well-known/openid-configuration'))
  expect(found).toMatchObject({ issuer: `${server.url}/realms/demo` })
  const client = { client_id: 'spa', redirect_uri: 'http://localhost:5173/', response_type: 'code' }
  const asked = new URLSearchParams({ ...client, scope: 'openid' })
  const connect = '/protocol/openid-connect'
  const { username, password } = { ...MIA, username: MIA.email }
  const back = await send(`POST ${connect}/auth?${asked}`, undefined, { username, password })
  const code = new URL(String(back.headers.location)).searchParams.get('code')
  const body = { ...client, grant_type: 'authorization_code', code }
  const { access_token } = JSON.parse((await send(`POST ${connect}/token`, undefined, body)).text)
  expect((await ask(server.url, { path: '/posts', headers: authorized(access_token) })).status).toBe(200)
})

test('a sign-up and an open list, beside all other middlewares of the page', async () => {
  const alone = sections.filter((section) => !TRIED_WITH_NPM.includes(section.split('\n')[0] ?? ''))
  const words = alone.flatMap((section) => commandIn(section).args)
  const middlewares = words.filter((_word, index) => words[index - 1] === '--middlewares')
  expect(middlewares).toHaveLength(5)
  const settings = { 'json-server.json': '{}', 'routes.json': '{}' }
  await makeProject(Object.assign({}, ...sections.map(filesIn), settings))
  const allow = ['--allow', 'POST /users', '--allow', 'GET /posts']
  await launch(['db.json', ...allow, '--middlewares', ...middlewares])
  const { status, text } = await send('POST /users', undefined, {
    email: 'eve@example.com',
    password: 'apple',
  })
  expect([status, JSON.parse(text).data]).toMatchObject([201, { email: 'eve@example.com', id: 3 }])
  expect(await statusOf('GET /posts')).toBe(200)
})

test('a prefix', async () => {
  await start('A prefix', ['--user', 'admin:secret'])
  for (const line of ['GET /me', 'GET /api/me', 'GET /auth/me'])
    expect(json(await send(line, NOAH))).toMatchObject({ name: 'Noah' })
  expect(json(await send('GET /me', { email: 'admin', password: 'secret' }))).toEqual({ email: 'admin' })
  expect(await statusOf('GET /me')).toBe(401)
  expect((await send('POST /api/posts', MIA, {})).headers.location).toBe(`${server.url}/posts/3`)
  const { link } = (await send('GET /api/posts?_page=1&_limit=1', MIA)).headers
  expect(link).toContain(`<${server.url}/posts?_page=1&_limit=1>; rel="first"`)
})

test('query names of your own', async () => {
  await start('Query names of your own')
  const { text, headers } = await send('GET /posts?page=2&size=1&sort=title&order=desc', MIA)
  expect(JSON.parse(text)).toEqual([JSON.parse(data).posts[0]])
  expect(headers.link).toContain(`<${server.url}/posts?page=1&size=1&sort=title&order=desc>; rel="first"`)
  expect(json(await send('GET /posts?userId=2', MIA))).toEqual([JSON.parse(data).posts[1]])
})

test('several files as one', async () => {
  const { args } = commandIn(await makeRecipe('Several files as one'))
  const { users, posts } = JSON.parse(data)
  for (const [name, records] of Object.entries({ users, posts }))
    await writeFile(path.join(folder, `${name}.json`), JSON.stringify(records))
  await launch(args)
  expect(json(await send('GET /posts', MIA))).toEqual(posts)
})

test('many records at once', async () => {
  await start('Many records at once')
  const added = await send('POST /posts/many', MIA, [{ title: 'a' }, { title: 'b' }])
  const records = [
    { title: 'a', id: 3 },
    { title: 'b', id: 4 },
  ]
  expect([added.status, json(added)]).toEqual([201, records])
  expect(json(await send('GET /posts?_start=2&_end=9', MIA))).toEqual(records)
  expect(JSON.parse(await readFile(path.join(folder, 'db.json'), 'utf8')).posts).toHaveLength(4)
  expect(await statusOf('POST /posts/many', MIA, {})).toBe(400)
})

test('one object by its slug', async () => {
  await start('One object by its slug')
  const post = { id: 3, slug: 'hello-again', title: 'Hello' }
  await send('POST /posts', MIA, post)
  expect(json(await send('GET /articles/hello-again', MIA))).toEqual(post)
  const unknown = await send('GET /articles/none', MIA)
  expect([unknown.status, unknown.text]).toEqual([404, '{}'])
  expect(await statusOf('GET /articles/hello-again')).toBe(401)
})

test('a search by POST', async () => {
  await start('A search by POST')
  const found = await send('POST /posts/search', MIA, { title_like: '^h', _page: 1 })
  expect([found.status, json(found)]).toEqual([200, [expect.objectContaining({ title: 'Hello' })]])
  expect(found.headers['x-total-count']).toBe('1')
  expect(await statusOf('POST /posts/search')).toBe(401)
})

test('wrapped responses', async () => {
  await start('Wrapped responses')
  expect(json(await send('GET /posts'))).toEqual({ data: JSON.parse(data).posts, total: 2 })
  const page = { data: [JSON.parse(data).posts[1]], total: 2 }
  expect(json(await send('GET /posts?_page=2&_limit=1'))).toEqual(page)
  expect(json(await send('GET /posts?userId=1'))).toMatchObject({ total: 1 })
  expect(json(await send('GET /posts/1', MIA))).toEqual({ data: JSON.parse(data).posts[0] })
  expect((await send('GET /posts/9', MIA)).text).toBe('{}')
  expect((await send('GET /posts/1')).text).toBe('"Unauthorized"')
  expect(json(await send('POST /posts', MIA, { title: 'New' }))).toEqual({ data: { title: 'New', id: 3 } })
})

test('whose records are whose, whatever the spelling', async () => {
  const { args } = commandIn(await makeRecipe('Whose records are whose'))
  const all = { ...JSON.parse(data), todos: [{ id: 1, text: 'Buy tea', userId: 1 }] }
  await writeFile(path.join(folder, 'db.json'), JSON.stringify(all))
  await launch(args)
  const spellings = ['/posts/1', '/posts/1/', '/posts//1', '/posts/%31', '/POSTS/1', '/users/1', '/todos/1']
  for (const target of spellings)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const line = `${method} ${target}`
      expect([line, (await statusOf(line, NOAH, { title: 'Mine' })) >= 403]).toEqual([line, true])
    }
  for (const line of ['POST /users/1/posts', 'POST /users/1/todos'])
    expect([line, await statusOf(line, NOAH, { title: 'Mine' })]).toEqual([line, 403])
  expect(JSON.parse(await readFile(path.join(folder, 'db.json'), 'utf8'))).toEqual(all)
  for (const target of ['/todos', '/todos/', '/TODOS', '/users/1/todos', '/todos?userId=1', '/todos?q=tea'])
    expect([target, json(await send(`GET ${target}`, NOAH))]).toEqual([target, []])
  expect(json(await send('GET /todos', MIA))).toEqual(all.todos)
  expect(json(await send('POST /todos', NOAH, { text: 'Sleep' }))).toEqual({
    text: 'Sleep',
    userId: 2,
    id: 2,
  })
  expect(json(await send('PATCH /posts/2', NOAH, { title: 'New' }))).toMatchObject({
    title: 'New',
    userId: 2,
  })
})

test('roles', async () => {
  await start('Roles')
  expect(await statusOf('GET /users', NOAH)).toBe(200)
  for (const line of ['POST /posts', 'POST /x/1/users', 'PATCH /users/2', 'DELETE /posts/1'])
    expect([line, await statusOf(line, NOAH, { role: 'admin' })]).toEqual([line, 403])
  expect(await statusOf('PATCH /posts/1', MIA, { title: 'New' })).toBe(200)
})

test('roles, with tokens of either login', async () => {
  await start('Roles', ['--login', '/login', '--me', '/me'])
  const mia = (await enter('POST /login', MIA)).headers
  const noah = (await enter('POST /login', { name: 'Noah', password: NOAH.password })).headers
  const change = { method: 'PATCH', path: '/posts/1', body: '{"title": "New"}' }
  expect((await ask(server.url, { ...change, headers: noah })).status).toBe(403)
  expect((await ask(server.url, { ...change, headers: mia })).status).toBe(200)
  expect((await ask(server.url, { path: '/me', headers: noah })).status).toBe(200)
})

test('a field left out of responses can be neither read nor guessed, and stays in the data', async () => {
  await start('A field left out of responses')
  const read = ['/users', '/users/1', '/db', '/auth/me', '/posts/1/users', '/posts?_expand=user']
  for (const target of [
    ...read,
    '/USERS//1/',
    '/users?_embed=posts',
    '/users?_sort=name',
    '/posts?q=hello',
  ]) {
    const { status, text } = await send(`GET ${target}`, MIA)
    expect([target, status, /password|sourdough|rye/.test(text)]).toEqual([target, 200, false])
  }
  const filters = ['password=rye', 'password_like=^s', 'password_ne=x', 'password_gte=s', '%70assword=rye']
  const others = ['_sort=password', '_sort=name,password', "['password']=rye", 'password.length=3', 'q=rye']
  for (const query of [...filters, ...others])
    for (const target of ['/users', '/users/', '/USERS', '/x/1/users', '/x/1/%75sers', '/x/1/users%2F'])
      expect([target, query, await statusOf(`GET ${target}?${query}`, MIA)]).toEqual([target, query, 400])

  for (const [line, body] of [
    ['POST /users', { email: 'eve@example.com', password: 'apple' }],
    ['PATCH /users/2', { name: 'N.' }],
  ] as const)
    expect((await send(line, MIA, body)).text).not.toContain('password')
  expect(await logIn(server.url, NOAH)).not.toBe('')
  expect(readFileSync(path.join(folder, 'db.json'), 'utf8')).toContain('sourdough')
})

// npm does not install openapi-typescript beside it.
test('types and a client, in an application with TypeScript 7', async () => {
  const heading = 'Types and a client from `/openapi.json`'
  await start(heading)
  const section = sectionOf(heading)
  const here = (code: string) => code.replace('http://localhost:33000', server.url)
  const [client = '', usage = ''] = blocks(section, 'ts')
  const application = await newFolder({
    'package.json': JSON.stringify({ type: 'module', devDependencies: { typescript: '7' } }),
    'client.ts': here(client) + usage,
  })
  const inApplication = { cwd: application, encoding: 'utf8' } as const
  const [, lines = ''] = blocks(section, 'sh')
  for (const line of here(lines).trim().split('\n')) await promisify(exec)(line, inApplication)
  // As in the templates of Vite, Next, Angular and SvelteKit.
  const flags = '--strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck'.split(
    ' ',
  )
  const compiler = path.join(application, 'node_modules/typescript/bin/tsc')
  const run = (program: readonly string[]) =>
    promisify(execFile)(process.execPath, program, inApplication).catch((error: unknown) => error)
  expect(await run([compiler, ...flags, 'client.ts'])).toEqual({ stdout: '', stderr: '' })
  const [, said = ''] = /console\.log\(.*\) \/\/ (.*)$/m.exec(usage) ?? []
  expect(await run(['client.js'])).toEqual({ stdout: `${said}\n`, stderr: '' })
})

test('HTTPS, with the certificate that the first line makes', async () => {
  const [line = ''] = (blocks(await makeRecipe('HTTPS'), 'sh')[0] ?? '').split('\n')
  await run('sh', ['-c', line], { cwd: folder })
  await launch(commandIn(sectionOf('HTTPS')).args)
  const ca = await readFile(path.join(folder, 'cert.pem'))
  const request = get(`${server.url.replace('http:', 'https:')}/api/users.php`, { ca })
  const [response] = await once(request, 'response')
  expect(response.resume().statusCode).toBe(200)
})

test('by its name, each file is the same kind of module in every package', () => {
  const names = sections.flatMap((section) => Object.keys(filesIn(section)))
  expect(names.filter((name) => !/\.(cjs|mjs|json|ts)$/.test(name))).toEqual([])
})

test('every recipe of the page has been run', () => {
  const headings = sections.map((section) => section.split('\n')[0])
  expect([...tried, ...TRIED_WITH_NPM].sort()).toEqual(headings.sort())
})
