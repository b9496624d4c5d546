import { createHook } from 'node:async_hooks'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import express from 'express'
import { MemoryData } from '../../../../lib/data/data-source'
import { packageVersion } from '../../../../lib/files/package'
import { isRecord } from '../../../../lib/is-record'
import { type AppOptions, createApp } from '../../../../server'
import { sampleData, tempFolders } from '../../../support/data'
import { type Answer, ask, json, serve, type TestServer, until } from '../../../support/http'

const newFolder = tempFolders()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(options: Partial<AppOptions> = {}): Promise<string> {
  const server = await serve(createApp({ data: sampleData(), docs: true, log: false, ...options }))
  closing.push(() => server.close())
  return server.url
}

function schemasOf(answer: Answer): string[] {
  const document = json(answer)
  const components = isRecord(document) ? document.components : undefined
  return isRecord(components) && isRecord(components.schemas) ? Object.keys(components.schemas) : []
}

test.each([
  ['an own page at the root stays there', 'index.html', 200],
  ['without one the root leads to the page', 'other.html', 302],
])('beside a static folder %s', async (_title, name, status) => {
  const folder = await newFolder()
  await writeFile(path.join(folder, name), '<h1>Own</h1>')
  const answer = await ask(await start({ static: folder }), { path: '/' })
  expect([answer.status, answer.text.includes('Own')]).toEqual([status, status === 200])
})

test('a page that is built after the start is served at the root', async () => {
  const folder = await newFolder()
  const url = await start({ static: folder })
  expect((await ask(url, { path: '/' })).status).toBe(302)
  await writeFile(path.join(folder, 'index.html'), '<h1>Own</h1>')
  expect((await ask(url, { path: '/' })).text).toBe('<h1>Own</h1>')
})

/** With the page and the document, for tests that change nothing. */
let unchanged: TestServer
beforeAll(async () => {
  unchanged = await serve(createApp({ data: sampleData(), docs: true, log: false }))
})
afterAll(() => unchanged.close())

test.each([
  { why: 'the root leads to the page', method: 'GET', path: '/', status: 302, location: 'docs/data' },
  { why: 'so does a slash at the end', method: 'GET', path: '/docs/', status: 302, location: '../docs' },
  { why: 'the page', method: 'GET', path: '/docs', status: 200, type: 'text/html' },
  { why: 'its headers', method: 'HEAD', path: '/docs', status: 200, type: 'text/html' },
  { why: 'the document', method: 'GET', path: '/openapi.json', status: 200, type: 'application/json' },
  { why: 'its headers', method: 'HEAD', path: '/openapi.json', status: 200, type: 'application/json' },
  { why: 'the script', method: 'GET', path: '/docs/page.mjs', status: 200, type: 'javascript' },
  { why: 'the style', method: 'GET', path: '/docs/page.css', status: 200, type: 'text/css' },
  { why: 'no other name of the page', method: 'GET', path: '/docs/page.html', status: 401 },
  { why: "Swagger UI's style", method: 'GET', path: '/docs/swagger-ui.css', status: 200, type: 'text/css' },
  {
    why: "Swagger UI's script",
    method: 'GET',
    path: '/docs/swagger-ui-bundle.js',
    status: 200,
    type: 'javascript',
  },
  { why: 'a POST of the document needs a token', method: 'POST', path: '/openapi.json', status: 401 },
  { why: 'a DELETE of the page does', method: 'DELETE', path: '/docs', status: 401 },
  { why: 'no other file is served', method: 'GET', path: '/docs/document.ts', status: 401 },
  { why: 'none of the sources', method: 'GET', path: '/docs/..%2fdocs.ts', status: 401 },
  { why: 'none of the data', method: 'GET', path: '/docs/%2e%2e%2f%2e%2e%2fdb.json', status: 401 },
  { why: 'no other spelling', method: 'GET', path: '/Docs', status: 401 },
  { why: 'the data needs a token', method: 'GET', path: '/users', status: 401 },
])('with --docs, $why: $method $path -> $status', async ({ method, path, status, type, location }) => {
  const answer = await ask(unchanged.url, { method, path })
  expect(answer.status).toBe(status)
  expect(answer.headers.location).toBe(location)
  if (type !== undefined) expect(answer.headers['content-type']).toContain(type)
})

test.each([
  ['/mock', '/mock/docs/data'],
  ['/mock?a=/b', '/mock/docs/data'],
  ['/mock/', '/mock/docs/data'],
  ['/mock/docs/', '/mock/docs'],
  ['/other/mock', '/other/mock/docs/data'],
  ['/tenants/https:example.com', '/tenants/https:example.com/docs/data'],
])('where the application is mounted, %s leads to %s', async (path, page) => {
  const app = express().use(
    ['/mock', '/other/mock', '/tenants/:tenant'],
    createApp({ data: sampleData(), docs: true, log: false }),
  )
  const server = await serve(app)
  closing.push(() => server.close())
  const { status, headers } = await ask(server.url, { path })
  expect([status, new URL(headers.location ?? '', server.url + path).href]).toEqual([302, server.url + page])
  expect((await ask(server.url, { path: page })).status).toBe(200)
})

test.each(['/', '/docs', '/docs/page.mjs', '/openapi.json'])(
  'without --docs, GET %s -> 401',
  async (path) => {
    expect((await ask(await start({ docs: false }), { path })).status).toBe(401)
  },
)

test('without --docs, nothing of it is loaded', async () => {
  await jest.isolateModulesAsync(async () => {
    jest.doMock('../../../../lib/options/docs/documentation', () => {
      throw new Error('It was loaded.')
    })
    const isolated: typeof import('../../../../server') = require('../../../../server')
    expect(() => isolated.createApp({ data: sampleData(), log: false })).not.toThrow()
    expect(() => isolated.createApp({ data: sampleData(), log: false, docs: true })).toThrow('It was loaded.')
    jest.dontMock('../../../../lib/options/docs/documentation')
  })
})

test('the page may load and send nothing elsewhere, and runs no script of its own', async () => {
  const url = await start()
  const { headers, text } = await ask(url, { path: '/docs' })
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self';/,
  )
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(text).not.toMatch(/https?:|<script>|\sstyle=|\son\w+=/)
})

test('no rewrite rule hides the page', async () => {
  const url = await start({ routes: { '/:a': '/users', '/:a/:b': '/users/:b' } })
  for (const path of ['/docs', '/docs/page.mjs', '/openapi.json'])
    expect((await ask(url, { path })).status).toBe(200)
})

test('the document has an ETag, and a 304 for a client that sends it', async () => {
  const url = await start()
  const { headers } = await ask(url, { path: '/openapi.json' })
  const again = await ask(url, { path: '/openapi.json', headers: { 'If-None-Match': headers.etag } })
  expect(again.status).toBe(304)
})

test("the page's files are compressed once, and have an ETag", async () => {
  const url = await start()
  let compressions = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') compressions += 1
    },
  }).enable()
  const question = { path: '/docs/swagger-ui-bundle.js', headers: { 'Accept-Encoding': 'gzip' } }
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(url, question)))
  hook.disable()
  expect(compressions).toBe(1)
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'application/javascript; charset=utf-8',
      vary: expect.stringContaining('Accept-Encoding'),
      'x-content-type-options': 'nosniff',
    })
  }
  const again = { 'If-None-Match': answers[0]?.headers.etag }
  expect((await ask(url, { ...question, headers: again })).status).toBe(304)
})

test('the document shows the data as it was last loaded', async () => {
  const data = new MemoryData({ blogs: [{ id: 1 }] })
  const url = await start({ data })
  await data.commit({ ...data.state, later: [] })
  expect(schemasOf(await ask(url, { path: '/openapi.json' }))).toContain('Blog')
  expect(schemasOf(await ask(url, { path: '/openapi.json' }))).not.toContain('Later')
  data.replace({ cats: [{ id: 1 }] })
  expect(schemasOf(await ask(url, { path: '/openapi.json' }))).toContain('Cat')
  expect(schemasOf(await ask(url, { path: '/openapi.json' }))).not.toContain('Blog')
})

test.each([
  { users: [], logins: [{ email: 'max', password: 'secret-1' }] },
  {
    users: [{ id: 1, email: 'a@b.example', password: 'x' }],
    logins: [{ email: 'max', password: 'secret-1' }],
  },
  { users: [{ id: 1, email: 'a@b.example', password: 'x' }], logins: [] },
  {
    users: [{ id: 1, email: 'mia@example.com', password: 'sourdough' }],
    logins: [{ email: 'max', password: 'secret-1' }],
    email: 'mia@example.com',
    password: 'sourdough',
  },
])(
  'the login shows that of the sample data, and never one of other data or of --user: %j',
  async ({ users, logins, email = 'user@example.com', password = 'password' }) => {
    const { text } = await ask(await start({ data: { users }, logins }), { path: '/openapi.json' })
    const { properties } =
      JSON.parse(text).paths['/auth/login'].post.requestBody.content['application/json'].schema
    expect(properties).toMatchObject({ email: { examples: [email] }, password: { examples: [password] } })
    expect(text).not.toMatch(/secret-1|a@b|"max"/)
  },
)

test("the responses of the application's own login and who am I are described as they are", async () => {
  const users = [
    { id: 1, username: 'ada', password: 'x', boss: null },
    { id: 'b', username: 'bob', password: 'y', boss: null },
  ]
  const own = { login: '/in', me: '/who', meResponse: { data: '$user' } }
  const { paths } = JSON.parse(
    (await ask(await start({ data: { users }, ...own }), { path: '/openapi.json' })).text,
  )
  const schemaOf = ({ responses }: { responses: Record<string, { content: object }> }) =>
    Object(responses['200']?.content)['application/json'].schema
  const user = { id: { type: ['string', 'integer'] }, username: { type: 'string' }, boss: {} }
  expect(schemaOf(paths['/in'].post).properties.user).toEqual({
    type: 'object',
    properties: user,
    required: ['id', 'username', 'boss'],
  })
  expect(schemaOf(paths['/in'].post).properties).toMatchObject({ token: { type: 'string' }, ...user })
  expect(schemaOf(paths['/who'].get)).toEqual({
    type: 'object',
    properties: { data: { type: 'object', properties: user, required: ['id', 'username', 'boss'] } },
    required: ['data'],
  })
  expect(paths['/who'].get.responses).not.toHaveProperty('404')
})

const TEXT = { type: 'string' }
const USERS = [{ email: 'ada@example.com' }]

test.each([
  { users: [], logins: [], user: {} },
  { users: USERS, logins: [], user: { email: { ...TEXT, format: 'email' } } },
  // A login of the command line may have any name.
  {
    users: USERS,
    logins: [{ email: 'me', password: 'x' }],
    user: { email: TEXT },
  },
])("the application's own login is described for everybody: %j", async ({ users, logins, user }) => {
  const url = await start({ data: { users }, logins, login: '/in' })
  const { paths } = JSON.parse((await ask(url, { path: '/openapi.json' })).text)
  const { properties } = paths['/in'].post.responses[200].content['application/json'].schema
  expect(properties).toMatchObject({ token: TEXT })
  expect(properties.user).toMatchObject({ type: 'object', properties: user })
})

test('after a reload of the data, the login of the new data is filled in', async () => {
  const data = new MemoryData({ users: [] })
  const url = await start({ data })
  data.replace({ users: [{ id: 1, email: 'mia@example.com', password: 'sourdough' }] })
  expect((await ask(url, { path: '/openapi.json' })).text).toContain('sourdough')
})

test.each([
  { title: undefined, expected: 'json-server-bearer' },
  { title: 'my <shop>', expected: 'my <shop>' },
])('the document has the title $expected, and the version of the package', async ({ title, expected }) => {
  const url = await start({ title })
  expect(json(await ask(url, { path: '/openapi.json' }))).toMatchObject({
    info: { title: expected, version: packageVersion() },
  })
})

test('by default, the title is the name of the data file', async () => {
  class FileData extends MemoryData {
    override get files() {
      return ['/somewhere/shop.json']
    }
  }
  const url = await start({ data: new FileData({}) })
  expect(json(await ask(url, { path: '/openapi.json' }))).toMatchObject({ info: { title: 'shop' } })
})

test('the log shows the page and the document, and not what the page loads', async () => {
  const lines: string[] = []
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  const url = await start({ log: true })
  const { text } = await ask(url, { path: '/docs' })
  const files = [...text.matchAll(/(?:src|href)="(docs\/.+?\..+?)"/g)].map(([, file]) => `/${file}`)
  expect(files).toHaveLength(4)
  for (const path of files) expect((await ask(url, { path })).status).toBe(200)
  for (const path of ['/openapi.json', '/docs/other.css']) await ask(url, { path })
  await until(() => lines.join('').includes('other.css'))
  write.mockRestore()
  const printed = lines.join('').trim().split('\n')
  expect(printed.map((line) => stripVTControlCharacters(line).split(' ').slice(0, 3).join(' '))).toEqual([
    'GET /docs 200',
    'GET /openapi.json 200',
    'GET /docs/other.css 401',
  ])
})
