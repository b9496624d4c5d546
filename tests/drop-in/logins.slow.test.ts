import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createApp } from '../../server'
import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, authorized, json, logIn, serve } from '../support/http'
import { killAll, Launched } from '../support/process'

const PASSWORD = 'pass:word: with spaces'
const NOBODY = { posts: [{ id: 1, title: 'Hello' }], users: [{ id: 1, username: 'ada' }] }
const FILES = { 'db.json': JSON.stringify(NOBODY) }

afterAll(async () => {
  killAll()
  await removeFolders()
})

async function start(args: readonly string[], files: Record<string, string> = FILES): Promise<Launched> {
  const folder = await newFolder(files)
  const server = await Launched.listening({ folder, args: [...args, '--port', '0'] })
  await server.prints(/Ctrl\+C to stop/)
  return server
}

it('--user: this login works, and no route, log or file shows its password', async () => {
  const folder = await newFolder(FILES)
  const args = ['db.json', '--port', '0', '--docs', '--user', `me:${PASSWORD}`, '--user', 'you@example.com:1']
  const server = await Launched.listening({ folder, args })
  const token = await logIn(server.url, { email: 'me', password: PASSWORD })
  await logIn(server.url, { email: 'you@example.com', password: '1' })
  const headers = authorized(token)
  for (const target of [
    '/db',
    '/users',
    '/openapi.json',
    '/docs',
    '/users?q=pass',
    '/blogs',
    '/__rules',
    '/',
  ]) {
    expect((await ask(server.url, { path: target, headers })).text).not.toContain('pass:word')
  }
  const body = JSON.stringify({ title: 'New' })
  expect((await ask(server.url, { method: 'POST', path: '/posts', headers, body })).status).toBe(201)
  expect(await readFile(path.join(folder, 'db.json'), 'utf8')).not.toContain('pass:word')
  expect(server.stdout + server.stderr).not.toContain('pass:word')
  expect(server.stdout).toContain('Log in as me, with')
  expect(server.stderr).toBe('')
})

it('--user: compared like stored users, who can still log in', async () => {
  const server = await start(['--user', `me:${PASSWORD}`], { 'db.json': JSON.stringify(sampleData()) })
  await logIn(server.url)
  for (const credentials of [
    { email: 'me', password: 'pass' },
    { email: 'Me', password: PASSWORD },
    { email: 'ada@example.com', password: PASSWORD },
    { email: 'me' },
  ]) {
    const answer = await ask(server.url, {
      method: 'POST',
      path: '/auth/login',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    expect([answer.status, json(answer)]).toEqual([401, 'Unauthorized'])
  }
})

it('"user" in json-server.json: one, or a list', async () => {
  for (const user of ['me:x', ['you:y', 'me:x']]) {
    const server = await start([], { ...FILES, 'json-server.json': JSON.stringify({ user }) })
    await logIn(server.url, { email: 'me', password: 'x' })
    await server.stop()
  }
})

it('if nobody can log in, one warning names the flag', async () => {
  const server = await start([])
  await server.warns(/\n/)
  expect(server.stdout).not.toMatch(/log in/i)
  expect(server.stderr).toBe(
    'Warning: Nobody can log in: the users in db.json have a "username" in place of an "email", ' +
      'for which docs/recipes.md has a recipe. Start with --user name:password.\n',
  )
})

it('a stored hash is compared as the string that it is', async () => {
  const ada = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
  const server = await start([], { 'db.json': JSON.stringify({ users: [ada] }) })
  await logIn(server.url, ada)
})

it('createApp: logins besides the data', async () => {
  const data = { posts: [] }
  const server = await serve(createApp({ data, log: false, logins: [{ email: 'me', password: 'x' }] }))
  const headers = authorized(await logIn(server.url, { email: 'me', password: 'x' }))
  expect(json(await ask(server.url, { path: '/db', headers }))).toEqual(data)
  await server.close()
})
