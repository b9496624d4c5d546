import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AppOptions } from '../../../server'
import { serveApp } from '../../support/app'
import { sampleData, tempFolders } from '../../support/data'
import { type Answer, ask, authorized, logIn, type TestServer } from '../../support/http'

const servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: Partial<AppOptions> = {}): Promise<TestServer> {
  const server = await serveApp({ data: sampleData(), ...options })
  servers.push(server)
  return server
}

const newFolder = tempFolders()
const OPENED = { 'Sec-Fetch-Mode': 'navigate' }

/** What a browser gets when a person opens an address of a server with these options. */
async function open(options: Partial<AppOptions> = {}, path = '/', host = 'localhost:5431'): Promise<Answer> {
  const { url } = await start(options)
  return ask(url, { path, headers: { ...OPENED, Host: host } })
}

test('a browser that opens / gets a 401 with a page that says how to log in', async () => {
  const { status, headers, text } = await open()
  expect(status).toBe(401)
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'www-authenticate': 'Bearer',
  })
  for (const words of ['POST /auth/login', '--docs', '--user me:secret', '$URL/auth/me'])
    expect(text).toContain(words)
  expect(text).not.toMatch(/<script|\son\w+=/i)
})

test.each([
  ['localhost:5431', 'http://localhost:5431'],
  ['[::1]:5431', 'http://[::1]:5431'],
  ['mock.test', 'http://mock.test'],
  ['a"><script>', 'http://localhost:33000'],
  ['$(id)', 'http://localhost:33000'],
  ['-o', 'http://localhost:33000'],
])('it shows the address that was asked for, where it is one: %s', async (host, address) => {
  expect((await open({}, '/', host)).text).toContain(`<pre>URL=${address}\n`)
})

test.each([
  ['/home', 'docs/data'],
  ['/blogs/', '../docs/data'],
  ['/users/1/orders', '../../docs/data'],
  ['*', 'docs/data'],
])('opened at %s, it leads to the page of --docs at %s, only where that is on', async (path, target) => {
  expect((await open({}, path)).text).not.toContain('<a ')
  const withDocs = await open({ docs: true, routes: { '/home': '/' } }, path)
  expect(withDocs.status).toBe(401)
  expect(withDocs.text).toContain(`<a href="${target}">`)
})

test('it is that of any path, with the path as it was sent, for HTML, and without its query', async () => {
  const rows = [
    ['/tasks?email=eve@example.com', '/tasks'],
    ['/users/1', '/users/1'],
    [`/a"><img/src='x'&`, '/a&#34;&#62;&#60;img/src=&#39;x&#39;&#38;'],
    ['//', '//'],
    ['/all/1?x=1', '/all/1'],
  ]
  for (const [path, shown] of rows) {
    const { status, headers, text } = await open({ routes: { '/all/*': '/users/$1' } }, path)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(text).toContain(`<code>${shown}</code>`)
    expect(text).not.toContain('eve@example.com')
  }
})

test('it is the same, byte for byte, for a path that is there and one that is not', async () => {
  const [there, gone] = [{ items: [{ id: 1 }] }, { others: [] }]
  for (const path of ['/items', '/items/1', '/items/1/parts', '/auth/login', '/db']) {
    const first = await open({ data: there }, path)
    const second = await open({ data: gone }, path)
    expect(second.bytes).toEqual(first.bytes)
    expect(Object.keys(second.headers)).toEqual(Object.keys(first.headers))
  }
})

test('where a front end reads another refusal, that is sent', async () => {
  const { status, text } = await open({ login: '/in', tokenRefusal: { message: '$message' } }, '/items')
  expect([status, Object.keys(JSON.parse(text))]).toEqual([401, ['message']])
})

test('its command encodes what is filled in, such as a password with an &', async () => {
  const fields = (await open()).text.match(/\S+ (?:email|password)='\w+'/g)
  expect(fields).toEqual(["--data-urlencode email='EMAIL'", "--data-urlencode password='PASSWORD'"])
})

test('it is the same, byte for byte, whatever the data and the options are', async () => {
  const first = await open()
  const data = { secrets: [{ id: 1 }], users: [{ email: 'eve@example.com', password: 'apple' }] }
  const logins = [{ email: 'me', password: 'secret' }]
  const others = [
    { data },
    { data: {} },
    { data, logins, sandboxes: true, readOnly: true, publicCollection: 'secrets' },
  ]
  for (const options of others) expect((await open(options)).bytes).toEqual(first.bytes)
})

test.each<[string, string, Record<string, string>]>([
  ['GET', '/', {}],
  ['GET', '/', { 'Sec-Fetch-Mode': 'cors' }],
  ['GET', '/', { ...OPENED, Authorization: 'Bearer undefined' }],
  ['GET', '/', { ...OPENED, Authorization: 'Basic bWU6eA==' }],
  ['POST', '/', OPENED],
  ['GET', '/users', {}],
  ['GET', '/users', { 'Sec-Fetch-Mode': 'cors' }],
  ['GET', '/users', { ...OPENED, Authorization: 'Bearer undefined' }],
  ['DELETE', '/users/1', OPENED],
])('%s %s with %j is "Unauthorized" as ever', async (method, target, headers) => {
  const { url } = await start()
  const { status, text } = await ask(url, { method, path: target, headers })
  expect([status, text]).toEqual([401, '"Unauthorized"'])
})

test('who has a token, or needs none, never sees it', async () => {
  const { url } = await start()
  const headers = { ...OPENED, ...authorized(await logIn(url)) }
  expect((await ask(url, { path: '/', headers })).text).toBe('{}')
  expect((await open({ docs: true })).status).toBe(302)
  expect((await open({ allow: 'all' })).text).toContain('<title>JSON Server</title>')
  expect((await open({ allow: ['GET /posts'], routes: { '/': '/posts' } })).text).toContain('"Hello"')
  const folder = await newFolder()
  await writeFile(path.join(folder, 'index.html'), 'Mine')
  expect((await open({ static: folder })).text).toBe('Mine')
})

test('a middleware that responds at / does so for who has a token', async () => {
  const { url } = await start({ middlewares: [(_request, response) => void response.send('Mine')] })
  expect((await ask(url, { path: '/', headers: OPENED })).status).toBe(401)
  const headers = { ...OPENED, ...authorized(await logIn(url)) }
  expect((await ask(url, { path: '/', headers })).text).toBe('Mine')
})
