import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, logIn } from '../support/http'
import { killAll, Launched } from '../support/process'

const DATA = { 'db.json': JSON.stringify(sampleData()) }

afterAll(async () => {
  await killAll()
  await removeFolders()
})

async function start(args: readonly string[]): Promise<Launched> {
  const folder = await newFolder(DATA)
  const server = await Launched.listening({ folder, args: ['db.json', '--port', '0', ...args] })
  await server.prints(/Ctrl\+C/)
  return server
}

/** A sign-up without a token, a login as who has signed up, and what is not allowed. */
async function expectSignUp({ url }: Launched): Promise<void> {
  const eve = { email: 'eve@example.com', password: 'apple' }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(eve)
  expect((await ask(url, { method: 'POST', path: '/users', headers, body })).status).toBe(201)
  expect(await logIn(url, eve)).not.toBe('')
  expect((await ask(url, { path: '/posts' })).status).toBe(200)
  expect((await ask(url, { path: '/users' })).status).toBe(401)
  expect((await ask(url, { method: 'POST', path: '/posts', headers, body })).status).toBe(401)
}

/** What the start lists as needing no token. */
function open({ stdout }: Launched): string[] {
  const [, list = ''] = /\n {2}Without: +(.*(?:\n {4,}.*)*)\n/.exec(stdout) ?? []
  return list.split(/,\s+/)
}

it('--allow, repeated: opens what it names, which the start lists, and says nothing more', async () => {
  const server = await start(['--allow', 'POST /users', '--allow', 'GET /posts'])
  await expectSignUp(server)
  expect(open(server)).toEqual(expect.arrayContaining(['POST /users', 'GET /posts']))
  expect(server.stderr).toBe('')
})

it('--allow all: json-server without a login, and says that everything is open', async () => {
  const { url, stdout, stderr } = await start(['--allow', 'all'])
  expect(stdout).toContain('Everything is open')
  expect(stderr).toBe('')
  expect(JSON.parse((await ask(url, { path: '/blogs' })).text)).toHaveLength(3)
  expect((await ask(url, { method: 'DELETE', path: '/users/1' })).status).toBe(200)
  expect((await ask(url, { path: '/blogs', headers: { Host: 'evil.example' } })).status).toBe(403)
})
