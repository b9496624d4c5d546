import { newFolder, removeFolders, sampleData } from '../support/data'
import { ask, logIn } from '../support/http'
import { killAll, Launched, PROGRAMS } from '../support/process'

const DATA = { 'db.json': JSON.stringify(sampleData()) }
const PASS = 'module.exports = (req, res, next) => next()'

afterAll(async () => {
  killAll()
  await removeFolders()
})

async function start(args: readonly string[], files: Record<string, string> = {}): Promise<Launched> {
  const folder = await newFolder({ ...DATA, ...files })
  const server = await Launched.listening({ folder, args: ['db.json', '--port', '0', ...args] })
  await server.prints(/Ctrl\+C to stop/)
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
function open({ stdout, url }: Launched): string[] {
  const [, list = ''] = /\n {2}Without a token\n(.*?)\n\n/s.exec(stdout) ?? []
  return list.split('\n').map((line) => line.trim().replace(/http:\/\/[^/]+/, url))
}

it('--allow, repeated: opens what it names, which the start lists, and says nothing more', async () => {
  const server = await start(['--allow', 'POST /users', '--allow', 'GET /posts'])
  await expectSignUp(server)
  expect(open(server)).toEqual(
    expect.arrayContaining([`POST ${server.url}/users`, `GET  ${server.url}/posts`]),
  )
  expect(server.stderr).toBe('')
})

it('"allow" as an array in json-server.json, and the warning of a start with middlewares', async () => {
  const server = await start(['--middlewares', 'pass.js'], {
    'json-server.json': JSON.stringify({ allow: ['POST /users', 'GET /posts'] }),
    'pass.js': PASS,
  })
  await expectSignUp(server)
  expect(open(server)).toEqual(
    expect.arrayContaining([`POST ${server.url}/users`, `GET  ${server.url}/posts`]),
  )
  await server.warns(/\n/)
  expect(server.stderr).toBe(
    'Warning: With --allow, your middlewares see requests without a token, whose req.auth is undefined: ' +
      'make sure that none of them takes that for somebody.\n',
  )
})

const SENTENCE =
  'must be a method and a path, for instance "POST /users" or "GET /posts/:id": ' +
  'no other pattern than :id at the end; or all, by itself: --allow all, or "allow": "all".\n'

it.each<[string, string[], string, string]>([
  [
    'a rule of --allow',
    ['--allow', 'GET /posts', '--allow', '/users'],
    '{}',
    `--allow: "/users" ${SENTENCE}`,
  ],
  ['a rule of "allow"', [], '{"allow": ["GET /*"]}', `"allow" in json-server.json: "GET /*" ${SENTENCE}`],
  ['all beside another', ['--allow', 'all', '--allow', 'GET /posts'], '{}', `--allow: "all" ${SENTENCE}`],
  ['all in a list', [], '{"allow": ["all"]}', `"allow" in json-server.json: "all" ${SENTENCE}`],
])('%s that cannot be used: what to write, and exit code 1', async (_title, args, config, said) => {
  const folder = await newFolder({ ...DATA, 'json-server.json': config })
  const launched = new Launched({ folder, args: ['db.json', '--port', '0', ...args] })
  expect(await launched.exited).toBe(1)
  expect([launched.stdout, launched.stderr]).toEqual(['', said])
})

it('--allow all: json-server without a login, and says that everything is open', async () => {
  const { url, stdout, stderr } = await start(['--allow', 'all'])
  expect(stdout).toContain('Everything is open: no request needs a token')
  expect(stderr).toBe('')
  expect(JSON.parse((await ask(url, { path: '/blogs' })).text)).toHaveLength(3)
  expect((await ask(url, { method: 'DELETE', path: '/users/1' })).status).toBe(200)
  expect((await ask(url, { path: '/blogs', headers: { Host: 'evil.example' } })).status).toBe(403)
})

it.each(['GET /', 'HEAD /', 'GET /script.js', 'GET /style.css'])(
  "--allow all: %s is json-server's home page",
  async (line) => {
    const [method = '', target = ''] = line.split(' ')
    const folder = await newFolder(DATA)
    const args = ['db.json', '--port', '0']
    const servers = await Promise.all([
      Launched.listening({ folder, args, program: PROGRAMS['json-server'] }),
      Launched.listening({ folder, args: [...args, '--allow', 'all'] }),
    ])
    const [theirs, ours] = await Promise.all(
      servers.map(async ({ url }) => {
        const { status, text, headers } = await ask(url, { method, path: target })
        const { etag, vary, 'content-type': type, 'cache-control': caching } = headers
        return { status, text, etag, vary, type, caching }
      }),
    )
    expect(theirs?.status).toBe(200)
    expect(ours).toEqual(theirs)
  },
)

it('--allow all on 0.0.0.0: whoever binds it decides, and is told what it means', async () => {
  const server = await start(['--allow', 'all', '--host', '0.0.0.0'])
  const headers = { Host: 'evil.example', Origin: 'https://evil.example' }
  expect((await ask(server.url, { path: '/blogs', headers })).status).toBe(200)
  expect(server.stderr).toMatch(/^Warning: With --allow all and --host 0\.0\.0\.0, everybody who reaches/)
})
