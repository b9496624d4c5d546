import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { newFolder, removeFolders } from '../support/data'
import { ask, authorized, logIn } from '../support/http'
import { killAll, Launched } from '../support/process'

const PASSWORD = 'pass:word: with spaces'
const NOBODY = { posts: [{ id: 1, title: 'Hello' }], users: [{ id: 1, username: 'ada' }] }
const FILES = { 'db.json': JSON.stringify(NOBODY) }

afterAll(async () => {
  await killAll()
  await removeFolders()
})

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
  // The lines to paste have it, as the command line did, encoded.
  expect(server.stdout + server.stderr).not.toContain('pass:word')
  expect(server.stdout).toContain(`password=${encodeURIComponent(PASSWORD)}`)
  expect(server.stderr).toBe('')
})
