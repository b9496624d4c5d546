import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from '../../../../lib/cli/explain-error'
import { readCommandLine, type Settings } from '../../../../lib/cli/flags/command-line'
import { ROWS } from '../../../../lib/cli/flags/flags'
import { tempFolders } from '../../../support/data'

const newFolder = tempFolders()

beforeEach(async () => {
  const folder = await newFolder()
  process.chdir(folder)
  await mkdir('public')
  await writeFile('rules.json', '{}')
  await writeFile('hello.js', '')
  await mkdir('package')
  await writeFile('package/package.json', '{"main": "main.js"}')
  await writeFile('package/main.js', '')
})

let warned: string[] = []
beforeEach(() => {
  warned = []
})

function read(args: readonly string[], env: NodeJS.ProcessEnv = {}): Settings {
  return readCommandLine(args, env, (sentence) => warned.push(sentence))
}

describe('readCommandLine', () => {
  it('has a default for everything', () => {
    expect(read([])).toMatchObject({
      source: 'db.json',
      inMemory: false,
      port: 33000,
      host: 'localhost',
      routes: undefined,
      middlewares: [],
      static: 'public',
      publicCollection: 'blogs',
      idProperty: 'id',
      foreignKeySuffix: 'Id',
      quiet: false,
      logins: [],
      secret: undefined,
      tokenLifetime: 3600,
    })
  })

  it('takes paths as often as they are given, and templates as the file has them', async () => {
    const keys = { me: '/me', 'login-response': ['$user'], 'login-refusal': 403, 'login-users': 'people' }
    await writeFile('json-server.json', JSON.stringify(keys))
    expect(read(['--login', '/a', '--login', 'GET /b'])).toMatchObject({
      login: ['/a', 'GET /b'],
      me: ['/me'],
      loginResponse: ['$user'],
      loginRefusal: 403,
      loginUsers: 'people',
    })
    expect(() => read(['--login-response', 'x'])).toThrow(UsageError)
    expect(() => read(['--login-users', 'x'])).toThrow('--login-users')
  })

  it('leaves to createApp what has no default of its own', () => {
    for (const name of ['live', 'readOnly', 'cors', 'gzip', 'delay', 'docs']) {
      expect(read([])).not.toHaveProperty(name)
    }
  })

  it.each<[string[], Partial<Settings>]>([
    [['other.json'], { source: 'other.json' }],
    [['--watch', 'other.json'], { source: 'other.json' }],
    [['-w', 'other.json', '-p', '3001'], { source: 'other.json', port: 3001 }],
    [['other.json', '--watch'], { source: 'other.json' }],
    [['1e3'], { source: '1e3' }],
    [['--port', '3001'], { port: 3001 }],
    [['--port=0'], { port: 0 }],
    [['--host', '0.0.0.0'], { host: '0.0.0.0' }],
    [['-H', '::'], { host: '::' }],
    [['--routes', 'rules.json'], { routes: 'rules.json' }],
    [['-r', 'rules.json'], { routes: 'rules.json' }],
    [['--middlewares', './hello.js'], { middlewares: ['./hello.js'] }],
    [['-m', './hello.js', 'hello.js'], { middlewares: ['./hello.js', 'hello.js'] }],
    [['-m', './hello', '-m', 'package'], { middlewares: ['hello.js', path.join('package/main.js')] }],
    [['--static', 'files'], { static: 'files' }],
    [['-s', 'files'], { static: 'files' }],
    [['--snapshots', 'public'], { snapshots: 'public' }],
    [['-S', 'public'], { snapshots: 'public' }],
    [['--read-only'], { readOnly: true }],
    [['--ro'], { readOnly: true }],
    [['--no-cors'], { cors: false }],
    [['--nc'], { cors: false }],
    [['--no-gzip'], { gzip: false }],
    [['--no-cascade'], { cascade: false }],
    [['--nested'], { nested: true }],
    [['--ng'], { gzip: false }],
    [['--delay', '250'], { delay: 250 }],
    [['-d', '250'], { delay: 250 }],
    [['-d', '0.5'], { delay: 0.5 }],
    [['--id', '_id'], { idProperty: '_id' }],
    [['-i', '_id'], { idProperty: '_id' }],
    [['--foreignKeySuffix', '_id'], { foreignKeySuffix: '_id' }],
    [['--fks', '_id'], { foreignKeySuffix: '_id' }],
    [['--quiet'], { quiet: true }],
    [['-q'], { quiet: true }],
    [['--public', 'posts'], { publicCollection: 'posts' }],
    [['--no-public'], { publicCollection: false }],
    [['--live'], { live: true }],
    [['--sandboxes'], { sandboxes: true }],
    [['--faults', 'rules.json'], { faults: 'rules.json' }],
    [['--expires-in', '30s'], { tokenLifetime: 30 }],
    [['--expires-in', '15m'], { tokenLifetime: 900 }],
    [['--expires-in', '7d'], { tokenLifetime: 604_800 }],
    [['--in-memory'], { inMemory: true }],
    [['--inMemory', 'other.json'], { inMemory: true, source: 'other.json' }],
    [
      ['--user', 'me:hidden', 'other.json'],
      { logins: [{ email: 'me', password: 'hidden' }], source: 'other.json' },
    ],
    [['--user', 'me:x', 'http://a.b/db'], { source: 'http://a.b/db' }],
    [
      ['--user', 'a@b.c:1:2', '--user=me:x'],
      {
        logins: [
          { email: 'a@b.c', password: '1:2' },
          { email: 'me', password: 'x' },
        ],
      },
    ],
    [['--no-watch', '--no-quiet'], { quiet: false }],
    [['--quiet', '--no-quiet'], { quiet: false }],
    [['--port', '3001', '--port', '3002'], { port: 3002 }],
    [['--port', ''], { port: 33000 }],
    [['--port'], { port: 33000 }],
    [['--routes', ''], { routes: undefined }],
    [['--no-static'], { static: undefined }],
    [['--user='], { logins: [] }],
    [['--static', ''], { static: undefined }],
  ])('understands %j', (args, expected) => {
    expect(read(args)).toMatchObject(expected)
  })

  it.each([
    [['--port', 'http'], '--port: "http"'],
    [['--port', '65536'], '--port: "65536"'],
    [['--port', '-1'], '--port: "-1"'],
    [['--port', '80.5'], '--port: "80.5"'],
    [['--delay', 'long'], '--delay: "long"'],
    [['--delay', '3000000000'], '--delay: "3000000000"'],
    [['--config', 'missing.json'], '--config: "missing.json"'],
    [['-r', 'missing.json'], '--routes: "missing.json"'],
    [['-m', 'hello.js', './missing'], '--middlewares: "./missing"'],
    [['--faults', 'missing.json'], '--faults: "missing.json"'],
    [['--cert', 'missing.pem'], '--cert: "missing.pem"'],
    [['--snapshots', 'missing'], '--snapshots: "missing"'],
    [['--user'], '--help'],
    [['--allow', 'POST /users', '--allow', 'GET *', '--allow', 'PUT *'], '--allow: "GET *"'],
    [['--user', 'hidden'], '--user must be'],
    [['--user', 'me:x', 'you:hidden'], 'a --user'],
    [['--user', 'me:x', 'db.json', 'you:hidden'], 'a --user'],
    [['db.json', 'you:hidden'], 'a --user'],
    [['--user', ':hidden'], '--user must be'],
    [['--user', 'me:'], '--user must be'],
    [['--expires-in', 'soon'], '--expires-in: "soon"'],
    [['--expires-in', '0s'], '--expires-in: "0s"'],
    [['--expires-in', '-5m'], '--expires-in: "-5m"'],
    [['--fill', '--docs'], '--help'],
    [['db.json', '--public'], '--help'],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => read(args)).toThrow(UsageError)
    expect(() => read(args)).toThrow(sentence)
    expect(() => read(args)).not.toThrow('\n')
    expect(() => read(args)).not.toThrow('hidden')
  })

  it.each([
    [{ PORT: '3002' }, { port: 3002 }],
    [{ JWT_SECRET: 'hidden' }, { secret: 'hidden' }],
    [{}, { secret: undefined }],
  ])('reads the environment: %j', (env, expected) => {
    expect(read([], env)).toMatchObject(expected)
  })

  it('refuses an empty secret, and an invalid port', () => {
    expect(() => read([], { JWT_SECRET: '' })).toThrow('JWT_SECRET')
    expect(() => read([], { PORT: 'http' })).toThrow(/^PORT: "http"/)
    expect(read([], { PORT: '' })).toMatchObject({ port: 33000 })
  })

  it('uses routes.json when there is one', async () => {
    await writeFile('routes.json', '{}')
    expect(read([])).toMatchObject({ routes: 'routes.json' })
    expect(read(['--routes', 'rules.json'])).toMatchObject({ routes: 'rules.json' })
  })
})

it('the README has each flag of our own', () => {
  const readme = readFileSync(path.join(__dirname, '../../../../README.md'), 'utf8')
  const missing = ROWS.filter(
    ({ flag, isOwn, inFileOnly }) => isOwn && !inFileOnly && !readme.includes(`\`--${flag}`),
  )
  expect(missing).toEqual([])
})

describe('what is unknown', () => {
  it.each<[string[], RegExp[]]>([
    [['--prot', '3000'], [/^--prot .* --port\?$/]],
    [['--readonly'], [/^--readonly .* --read-only\?$/]],
    [['--middleware', 'x'], [/^--middleware .* --middlewares\?$/]],
    [['--some-thing'], [/^--some-thing .*--help/]],
    [['--no-cor'], [/^--no-cor .* --no-cors\?$/]],
    [['--no-some-thing'], [/^--no-some-thing .*--help/]],
    [['--auth'], [/^--auth .* --user /]],
    [['--secret', 'x'], [/^--secret .*JWT_SECRET/]],
    [['--file', 'x.json'], [/^--file .*data file/]],
    [['--root', 'x'], [/^--root .* --static/]],
    [['--dir', 'x'], [/^--dir .* --static/]],
    [['--reload'], [/^--reload .*loaded/]],
    [['--reset'], [/^--reset .* --in-memory/]],
    [['--docs=1'], [/^--docs: "1" .*true or false/]],
    [['--static', 'a', '--static', 'b'], [/--static .*: b/]],
    [['--no-auth'], [/^--no-auth .* --allow all\?$/]],
    [['--noLogin'], [/^--no-login .* --allow all\?$/]],
    [['--allow-all', 'yes'], [/^--allow-all .* --allow all\?$/]],
    [['-x'], [/^-x .*--help/]],
    [['--cors'], [/^--cors .*--no-cors/]],
    [
      ['a.json', 'b.json', 'c.json'],
      [/^b\.json .*a\.json/, /^c\.json .*a\.json/],
    ],
    [['help', 'b.json'], [/^b\.json .*help/]],
    [['--readOnly', '--noCors', '--help=false', '--foreign-key-suffix', '_id'], []],
    // A value is missing, but for an empty one.
    [['-p'], [/^--port .*integer/]],
    [
      ['db.json', '--port', '--host', '-q'],
      [/^--port /, /^--host /],
    ],
    [
      ['-m', '--docs', '--fks'],
      [/^--middlewares /, /^--foreignKeySuffix /],
    ],
    [['--routes', '--watch', '--'], [/^--routes .*routes\.json/]],
    [['--port=', '--host', '', '--routes=', '--static', '', '--watch'], []],
    [['--host', 'localhost', '-q'], []],
  ])('%j is a warning', (args, sentences) => {
    expect(read(args)).toBeDefined()
    expect(warned).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
  })

  it('is a warning in a configuration file, too', async () => {
    await writeFile(
      'json-server.json',
      JSON.stringify({
        prot: 1,
        cors: { origin: '*' },
        db: 'x',
        noGzip: true,
        auth: false,
        'G e t /x': '/y',
        '/api/*': '/$1',
        'POST /search': 'GET /posts',
      }),
    )
    expect(read([])).toMatchObject({ port: 33000, gzip: false })
    expect(warned).toEqual([
      expect.stringMatching(/^json-server\.json: --prot .*--port/),
      expect.stringMatching(/^json-server\.json: --cors .*--no-cors/),
      expect.stringMatching(/^json-server\.json: --db .*data file/),
      expect.stringMatching(/^json-server\.json: --no-auth .*--allow all/),
      expect.stringMatching(/^json-server\.json: "G e t \/x" is ignored/),
      expect.stringMatching(/^json-server\.json: "\/api\/\*" is ignored: .*routes\.json/),
      expect.stringMatching(/^json-server\.json: "POST \/search" is ignored: .*routes\.json/),
    ])
  })
})

test('a switch that is neither true nor false is a warning, and as if it were not given', async () => {
  await writeFile('json-server.json', '{"docs": "yes", "sandboxes": "on", "quiet": 1, "live": "true"}')
  const settings = read([])
  expect(settings).toMatchObject({ quiet: false, live: true })
  expect(settings).not.toHaveProperty('docs')
  expect(warned).toEqual(['docs', 'sandboxes', 'quiet'].map((name) => expect.stringContaining(`--${name}`)))
})

test('routes.json of a clone is used beside other data than its own, too', async () => {
  const file = path.join(await newFolder(), 'mine.json')
  process.chdir(path.join(__dirname, '../../../..'))
  for (const args of [[], ['mine.json'], [file]]) expect(read(args)).toMatchObject({ routes: 'routes.json' })
  expect(read([file, '--routes='])).toMatchObject({ routes: undefined })
})

test.each(['routes', 'port', 'static', 'schemas', 'login-users'])(
  'an empty list for %s is refused',
  async (key) => {
    await writeFile('json-server.json', JSON.stringify({ [key]: [] }))
    expect(() => read([])).toThrow(new RegExp(`^json-server.json cannot be used: --${key}: \\[\\] must be`))
  },
)

test('an empty list for what can be given several times is none of it', async () => {
  await writeFile('json-server.json', '{"middlewares": [], "user": [], "docs": []}')
  expect(read([])).toMatchObject({ middlewares: [], logins: [] })
  expect(warned).toEqual([expect.stringContaining('--docs: []')])
})

describe('the configuration file', () => {
  it.each([
    [{ port: 3003 }, { port: 3003 }],
    [{ p: 3003 }, { port: 3003 }],
    [
      { 'read-only': true, 'no-cors': true },
      { readOnly: true, cors: false },
    ],
    [
      { readOnly: true, noCors: true },
      { readOnly: true, cors: false },
    ],
    [
      { routes: 'rules.json', static: 'files' },
      { routes: 'rules.json', static: 'files' },
    ],
    [{ routes: { '/api/*': '/$1' } }, { routes: { '/api/*': '/$1' } }],
    [{ watch: true, unknown: 'name' }, { port: 33000 }],
    [
      { routes: '', static: false, port: null },
      { routes: undefined, static: undefined, port: 33000 },
    ],
    [
      { cors: false, gzip: false, public: false },
      { cors: false, gzip: false, publicCollection: false },
    ],
    [{ middlewares: './hello' }, { middlewares: ['hello.js'] }],
    [{ quiet: 'true' }, { quiet: true }],
    [{ user: 'me:a:b' }, { logins: [{ email: 'me', password: 'a:b' }] }],
    [
      { user: ['me:x', 'you:y'] },
      {
        logins: [
          { email: 'me', password: 'x' },
          { email: 'you', password: 'y' },
        ],
      },
    ],
  ])('%j', async (config, expected) => {
    await writeFile('json-server.json', JSON.stringify(config))
    expect(read([])).toMatchObject(expected)
  })

  it('comes after the environment, and both come after the flags', async () => {
    await writeFile('json-server.json', '{"port": 3001, "delay": 1}')
    expect(read([])).toMatchObject({ port: 3001, delay: 1 })
    expect(read([], { PORT: '3002' })).toMatchObject({ port: 3002, delay: 1 })
    expect(read(['--port', '3003'], { PORT: '3002' })).toMatchObject({ port: 3003, delay: 1 })
    expect(read(['-p', '3003'], { PORT: '3002' })).toMatchObject({ port: 3003, delay: 1 })
  })

  it('can have another name, and be a module', async () => {
    await writeFile('mine.json', '{"port": 3001}')
    await writeFile('conf.js', 'module.exports = { port: 3002 }')
    expect(read(['--config', 'mine.json'])).toMatchObject({ port: 3001 })
    expect(read(['-c', 'mine.json'])).toMatchObject({ port: 3001 })
    expect(read(['-c', 'conf.js'])).toMatchObject({ port: 3002 })
    expect(read(['-c', './conf'])).toMatchObject({ port: 3002 })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ port: 'http' }, '--port: "http"'],
    [{ snapshots: 'missing' }, '--snapshots: "missing"'],
    [{ routes: 'missing.json' }, '--routes: "missing.json"'],
    [{ m: ['hello.js', 'no.js'] }, '--middlewares: "no.js"'],
    [{ routes: ['/api', '/'] }, '--routes: "/"'],
    [{ host: {} }, '--host: {}'],
    [{ login: { path: '/in' } }, '--login: {"path":"/in"}'],
    [{ login: 5 }, '--login: 5'],
    [{ me: ['/me', 'who'] }, '--me: "who"'],
    [{ allow: ['POST /users', 'GET *'] }, '--allow: "GET *"'],
    [{ user: { name: 'hidden' } }, '--user'],
    [{ user: 'hidden' }, '--user'],
  ])('is named by an error: %j', async (config, sentence) => {
    await writeFile('json-server.json', JSON.stringify(config))
    expect(() => read([])).toThrow(/^json-server\.json/)
    expect(() => read([])).toThrow(sentence)
    expect(() => read([])).not.toThrow('hidden')
  })

  it('is not the data file of the same name', async () => {
    await writeFile('json-server.json', '{"users": [], "port": [{"id": 1}]}')
    expect(read(['./json-server.json'])).toMatchObject({ port: 33000 })
    expect(warned).toEqual([])
  })

  it.each(['[]', '{', '7', ''])('is refused when it holds %j', async (text) => {
    await writeFile('json-server.json', text)
    expect(() => read([])).toThrow(/json-server\.json .*(object|JSON)/)
  })

  it('comes before a default, and after a flag that undoes it', async () => {
    await writeFile('json-server.json', '{"no-public": true}')
    expect(read([])).toMatchObject({ publicCollection: false })
    expect(read(['--public', 'posts'])).toMatchObject({ publicCollection: 'posts' })
    await writeFile('json-server.json', '{"public": "posts", "port": 3001}')
    expect(read(['--no-public', '--port', ''])).toMatchObject({ publicCollection: false, port: 3001 })
    expect(read(['--no-public=false'])).toMatchObject({ publicCollection: 'posts' })
  })
})
