import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import path from 'node:path'
import { isRecord } from '../../lib/is-record'
import { ADA, newFolder, removeFolders, sampleData } from '../support/data'
import { ask, authorized, json, logIn } from '../support/http'
import { client, killAll, Launched, PROGRAMS, type Send } from '../support/process'

/** A certificate for this machine alone, and its key. */
const CERTIFICATE = path.join(__dirname, '../support/localhost.pem')
const RETURNS_DATA = `() => (${JSON.stringify(sampleData())})`
const FILES = {
  'db.json': JSON.stringify(sampleData()),
  'data.js': `module.exports = ${RETURNS_DATA}`,
  'data.cjs': `module.exports = ${RETURNS_DATA}`,
  'data.ts': `export default async (): Promise<Record<string, unknown>> => (${RETURNS_DATA})()`,
  'no-function.js': 'module.exports = {}',
}

interface Running {
  server: Launched
  folder: string
  send: Send
}

let remote: Server
let remoteUrl: string

async function listening(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  program: keyof typeof PROGRAMS = 'ours',
): Promise<Running> {
  const folder = await newFolder(FILES)
  const server = await Launched.listening({ program: PROGRAMS[program], folder, args, env })
  return { server, folder, send: await client(server, program) }
}

async function refused(args: readonly string[]): Promise<string> {
  const launched = new Launched({
    folder: await newFolder(FILES),
    args: [...args, '--port', '0', '--host', '127.0.0.1'],
  })
  expect(await launched.exited).toBe(1)
  expect(launched.stdout).toBe('')
  return launched.stderr
}

beforeAll(async () => {
  remote = createServer((incoming, response) => {
    if (incoming.url === '/missing.json') response.statusCode = 404
    response.end(incoming.url?.startsWith('/page') ? '<html>' : JSON.stringify(sampleData()))
  }).listen(0, '127.0.0.1')
  await once(remote, 'listening')
  const address = remote.address()
  if (address === null || typeof address === 'string') throw new Error('No TCP port.')
  remoteUrl = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  await killAll()
  remote.closeAllConnections()
  remote.close()
  await removeFolders()
})

describe('a source', () => {
  it('is a .js or .cjs file that exports a function, or a URL, as in json-server', async () => {
    for (const find of await Promise.all(
      ['data.js', 'data.cjs', `${remoteUrl}/db.json`].map(async (source) => {
        const [theirs, ours] = await Promise.all([
          listening([source, '--port', '0', '--host', '127.0.0.1'], {}, 'json-server'),
          listening([source, '--port', '0', '--host', '127.0.0.1']),
        ])
        const found = []
        for (const { send } of [theirs, ours]) {
          expect((await send('POST /tags', { body: { id: 'new' } })).status).toBe(201)
          found.push(json(await send('GET /db')))
        }
        await Promise.all([theirs.server.stop(), ours.server.stop()])
        return found
      }),
    )) {
      const data = sampleData()
      expect(find).toEqual([
        { ...data, tags: [{ id: 'a1b2', label: 'tea' }, { id: 'new' }] },
        { ...data, tags: [{ id: 'a1b2', label: 'tea' }, { id: 'new' }] },
      ])
    }
  })

  it('is a .ts file, whose function may be asynchronous', async () => {
    const { server, send } = await listening(['data.ts', '--port', '0', '--host', '127.0.0.1'])
    expect(json(await send('GET /db'))).toEqual(sampleData())
    await server.stop()
  })

  it('that is a URL is named without the secrets in it', async () => {
    const { server } = await listening([
      `${remoteUrl}/db.json?token=hidden`,
      '--port',
      '0',
      '--host',
      '127.0.0.1',
    ])
    await server.prints(/Ctrl\+C/)
    expect(server.stdout).toContain(`serves ${remoteUrl}/db.json at`)
    expect(server.output).not.toContain('hidden')
    await server.stop()
    for (const source of [`${remoteUrl}/page?token=hidden`, remoteUrl.replace('//', '//me:hidden@')])
      expect(await refused([source])).not.toContain('hidden')
  })

  it('is refused in one sentence when it gives no data', async () => {
    expect(
      await Promise.all([
        refused(['no-function.js']),
        refused(['missing.js']),
        refused([`${remoteUrl}/missing.json`]),
        refused([`${remoteUrl}/page`]),
      ]),
    ).toEqual([
      expect.stringMatching(/^Error: no-function\.js .*function/),
      expect.stringMatching(/^Error: missing\.js /),
      expect.stringContaining('404'),
      expect.stringContaining('JSON'),
    ])
  })
})

describe('own flags', () => {
  let plain: Running
  let own: Running
  let closed: Running

  beforeAll(async () => {
    ;[plain, own, closed] = await Promise.all([
      listening(['--port', '0', '--host', '127.0.0.1']),
      listening([
        '--port',
        '0',
        '--host',
        '127.0.0.1',
        '--in-memory',
        '--live',
        '--public',
        'posts',
        '--expires-in',
        '2h',
      ]),
      // PORT, without its flag.
      listening(['--no-public', '--host', '127.0.0.1'], { PORT: '0', JWT_SECRET: undefined }),
    ])
  })

  it('--public: the named collection is public, under its plural and singular', async () => {
    const { posts } = sampleData()
    const loaded: unknown[] = Array.isArray(posts) ? posts : []
    const [first] = loaded
    const get = async (target: string) =>
      json(await own.send(`GET ${target}`, { headers: { Authorization: '' } }))
    // Another test may have added one.
    expect(await get('/posts')).toEqual({ posts: expect.arrayContaining(loaded) })
    expect(await get('/posts/1')).toEqual({ post: first })
    expect(await get('/post/1')).toEqual({ post: first })
    expect(await get('/post/9')).toEqual({ error: 'Post not found' })
    expect(await get('/blogs')).toBe('Unauthorized')
    expect(json(await own.send('GET /blogs'))).toEqual(sampleData().blogs)
  })

  it('--no-public: nothing is public, and the collection is an array again', async () => {
    const answer = await closed.send('GET /blogs', { headers: { Authorization: '' } })
    expect([answer.status, json(answer)]).toEqual([401, 'Unauthorized'])
    expect(json(await closed.send('GET /blogs'))).toEqual(sampleData().blogs)
  })

  it('--live: the public list shows what was written; without it, what was loaded', async () => {
    const titles = async ({ send }: Running, name: string) => {
      expect((await send(`POST /${name}`, { body: { title: 'New' } })).status).toBe(201)
      return (await send(`GET /${name}`, { headers: { Authorization: '' } })).text
    }
    expect(await titles(own, 'posts')).toContain('"New"')
    expect(await titles(plain, 'blogs')).not.toContain('"New"')
  })

  it('--in-memory: the file is never written; without it, it is', async () => {
    const saved = async ({ folder, send }: Running) => {
      expect((await send('POST /tags', { body: { id: 'kept' } })).status).toBe(201)
      return readFile(path.join(folder, 'db.json'), 'utf8')
    }
    expect(await saved(own)).toBe(FILES['db.json'])
    expect(await saved(plain)).toContain('"kept"')
  })

  it('--expires-in: the lifetime of a token; one hour without it', async () => {
    const lifetime = async ({ server }: Running) => {
      const [, payload = ''] = (await logIn(server.url)).split('.')
      const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return isRecord(claims) && Number(claims.exp) - Number(claims.iat)
    }
    expect(await lifetime(own)).toBe(7200)
    expect(await lifetime(plain)).toBe(3600)
    expect(await refused(['--expires-in', 'soon'])).toMatch(
      /^Error: --expires-in: "soon" must be .+, for instance .+\.\n$/,
    )
  })

  it('JWT_SECRET: a token is valid where the secret is the same, and nowhere else', async () => {
    const headers = authorized(await logIn(own.server.url))
    const status = async ({ send }: Running) => (await send('GET /users', { headers })).status
    expect(await Promise.all([own, plain, closed].map(status))).toEqual([200, 200, 401])
  })

  it('snapshots: s and Enter, into the working folder, with what was written', async () => {
    own.server.type('s\n')
    const saved = / (db-\d+\.json)\./
    await own.server.prints(saved)
    const [, file = ''] = saved.exec(own.server.stdout) ?? []
    const snapshot: unknown = JSON.parse(await readFile(path.join(own.folder, file), 'utf8'))
    expect(snapshot).toEqual(json(await own.send('GET /db')))
  })
})

describe('HTTPS', () => {
  it('is served with --cert and --key; one alone is refused', async () => {
    const folder = await newFolder(FILES)
    const args = ['--host', '127.0.0.1', '--cert', CERTIFICATE, '--key', CERTIFICATE]
    const server = await Launched.listening({ folder, args })
    await server.prints(/ at https:\/\/127\.0\.0\.1:\d+/)
    const ca = await readFile(CERTIFICATE)
    const url = server.url.replace('http:', 'https:')
    const body = await new Promise<string>((resolve, reject) => {
      const outgoing = request(`${url}/auth/login`, {
        ca,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
      })
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      })
      outgoing.end(JSON.stringify(ADA))
    })
    expect(JSON.parse(body)).toEqual({ access_token: expect.any(String) })
    await server.stop()
    expect(await refused(['--cert', 'db.json'])).toContain('--key')
  })
})

describe('a folder as a source', () => {
  const inFolder = Object.fromEntries(
    Object.entries(sampleData()).map(([name, resource]) => [`db/${name}.json`, JSON.stringify(resource)]),
  )
  const start = async (...args: string[]) => {
    const folder = await newFolder(inFolder)
    const server = await Launched.listening({ folder, args: [...args, '--host', '127.0.0.1', '--port', '0'] })
    return { folder, server, send: await client(server) }
  }

  it('is served, watched and saved, and its page and its sandboxes work', async () => {
    const { folder, server, send } = await start('--watch', 'db/', '--docs', '--sandboxes')
    expect(server.stdout).toContain('Changes are saved to db/')
    expect((await send('POST /tags', { body: { id: 'new' } })).status).toBe(201)
    expect(JSON.parse(await readFile(path.join(folder, 'db/tags.json'), 'utf8'))).toHaveLength(2)
    await writeFile(path.join(folder, 'db/fresh.json'), '[{"id": 1}]')
    await server.prints(/db\/ was reloaded/)
    expect(json(await send('GET /fresh'))).toEqual([{ id: 1 }])
    const { paths } = Object(json(await send('GET /openapi.json')))
    expect(Object.keys(paths)).toContain('/fresh')
    const headers = { 'X-Sandbox': 'lab' }
    expect((await send('DELETE /posts/1', { headers })).status).toBe(200)
    expect((await send('GET /posts/1')).status).toBe(200)
    await writeFile(path.join(folder, 'db/fresh.json'), 'oops')
    await server.warns(/db.fresh\.json is not valid JSON/)
    expect(await server.stop()).toBe(0)
  })

  it('is only read with --in-memory', async () => {
    const { folder, send } = await start('db', '--in-memory')
    expect((await send('POST /tags', { body: { id: 'new' } })).status).toBe(201)
    expect(await readFile(path.join(folder, 'db/tags.json'), 'utf8')).toBe(inFolder['db/tags.json'])
  })

  it('may be empty', async () => {
    const folder = await newFolder({ 'db/.keep': '' })
    const server = await Launched.listening({ folder, args: ['db', '--allow', 'all', '--port', '0'] })
    await server.warns(/db has no collection.*posts\.json/)
  })

  it('leads to a file by its name as a client encodes it', async () => {
    const folder = await newFolder({ 'db/my posts.json': '[{"id": 1}]' })
    const server = await Launched.listening({ folder, args: ['db', '--allow', 'all', '--port', '0'] })
    expect(json(await ask(server.url, { path: '/my%20posts' }))).toEqual([{ id: 1 }])
  })
})
