import { mkdir, writeFile } from 'node:fs/promises'
import { readCommandLine, type Settings } from '../../../lib/cli/command-line'
import { UsageError } from '../../../lib/cli/setting-values'
import { tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()
const home = process.cwd()

beforeEach(async () => {
  const folder = await newFolder()
  process.chdir(folder)
  await mkdir('public')
  await writeFile('rules.json', '{}')
  await writeFile('hello.js', '')
})
afterEach(() => process.chdir(home))

function read(args: readonly string[], env: NodeJS.ProcessEnv = {}): Settings | undefined {
  return readCommandLine(args, env)
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
      static: undefined,
      publicCollection: 'blogs',
      live: false,
      readOnly: false,
      cors: true,
      gzip: true,
      delay: 0,
      idProperty: 'id',
      foreignKeySuffix: 'Id',
      quiet: false,
      secret: undefined,
      tokenLifetime: 3600,
    })
  })

  it.each<[string[], Partial<Settings>]>([
    [['other.json'], { source: 'other.json' }],
    [['--watch', 'other.json'], { source: 'other.json' }],
    [['-w', 'other.json', '-p', '3001'], { source: 'other.json', port: 3001 }],
    [['other.json', '--watch'], { source: 'other.json' }],
    [['--port', '3001'], { port: 3001 }],
    [['--port=0'], { port: 0 }],
    [['--host', '0.0.0.0'], { host: '0.0.0.0' }],
    [['-H', '::'], { host: '::' }],
    [['--routes', 'rules.json'], { routes: 'rules.json' }],
    [['-r', 'rules.json'], { routes: 'rules.json' }],
    [['--middlewares', './hello.js'], { middlewares: ['./hello.js'] }],
    [['-m', './hello.js', 'hello.js'], { middlewares: ['./hello.js', 'hello.js'] }],
    [['--static', 'public'], { static: 'public' }],
    [['-s', 'public'], { static: 'public' }],
    [['--snapshots', 'public'], { snapshots: 'public' }],
    [['-S', 'public'], { snapshots: 'public' }],
    [['--read-only'], { readOnly: true }],
    [['--ro'], { readOnly: true }],
    [['--no-cors'], { cors: false }],
    [['--nc'], { cors: false }],
    [['--no-gzip'], { gzip: false }],
    [['--ng'], { gzip: false }],
    [['--delay', '250'], { delay: 250 }],
    [['-d', '250'], { delay: 250 }],
    [['--id', '_id'], { idProperty: '_id' }],
    [['-i', '_id'], { idProperty: '_id' }],
    [['--foreignKeySuffix', '_id'], { foreignKeySuffix: '_id' }],
    [['--fks', '_id'], { foreignKeySuffix: '_id' }],
    [['--quiet'], { quiet: true }],
    [['-q'], { quiet: true }],
    [['--public', 'posts'], { publicCollection: 'posts' }],
    [['--no-public'], { publicCollection: false }],
    [['--live'], { live: true }],
    [['--expires-in', '30s'], { tokenLifetime: 30 }],
    [['--expires-in', '15m'], { tokenLifetime: 900 }],
    [['--expires-in', '7d'], { tokenLifetime: 604_800 }],
    [['--in-memory'], { inMemory: true }],
  ])('understands %j', (args, expected) => {
    expect(read(args)).toMatchObject(expected)
  })

  it.each([
    [['--colour'], 'Unknown argument: colour'],
    [['--port', 'http'], '--port must be an integer from 0 to 65535'],
    [['--port', '65536'], '--port must be an integer from 0 to 65535'],
    [['--port', '-1'], '--port must be an integer from 0 to 65535'],
    [['--port', '80.5'], '--port must be an integer from 0 to 65535'],
    [['--delay', 'long'], '--delay must be an integer'],
    [['--routes', 'missing.json'], 'The file with the rewrite rules missing.json does not exist.'],
    [['--middlewares', 'missing.js'], 'The middleware missing.js does not exist.'],
    [['--static', 'missing'], 'The static folder missing does not exist.'],
    [['--config', 'missing.json'], 'missing.json'],
    [['--expires-in', 'soon'], '--expires-in must be a number and a unit'],
    [['--expires-in', '0s'], '--expires-in must be a number and a unit'],
    [['--cert', 'rules.json'], 'HTTPS needs both --cert and --key.'],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => read(args)).toThrow(UsageError)
    expect(() => read(args)).toThrow(sentence)
    expect(() => read(args)).not.toThrow('\n')
  })

  it.each([
    [{ PORT: '3002' }, { port: 3002 }],
    [{ JWT_SECRET: 'secret' }, { secret: 'secret' }],
    [{}, { secret: undefined }],
  ])('reads the environment: %j', (env, expected) => {
    expect(read([], env)).toMatchObject(expected)
  })

  it('refuses an empty secret, and a port that is none', () => {
    expect(() => read([], { JWT_SECRET: '' })).toThrow('JWT_SECRET is empty')
    expect(() => read([], { PORT: 'http' })).toThrow('--port must be an integer')
  })

  it('uses routes.json when there is one', async () => {
    await writeFile('routes.json', '{}')
    expect(read([])).toMatchObject({ routes: 'routes.json' })
    expect(read(['--routes', 'rules.json'])).toMatchObject({ routes: 'rules.json' })
  })

  it.each([['--help'], ['-h'], ['--version'], ['-v']])('prints and gives nothing for %s', (flag) => {
    const log = jest.spyOn(console, 'log').mockImplementation()
    expect(read([flag])).toBeUndefined()
    expect(log).toHaveBeenCalledTimes(1)
    log.mockRestore()
  })
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
      { routes: 'rules.json', static: 'public' },
      { routes: 'rules.json', static: 'public' },
    ],
    [{ watch: true, unknown: 'name' }, { port: 33000 }],
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

  it('can have another name', async () => {
    await writeFile('mine.json', '{"port": 3001}')
    expect(read(['--config', 'mine.json'])).toMatchObject({ port: 3001 })
    expect(read(['-c', 'mine.json'])).toMatchObject({ port: 3001 })
  })

  it.each(['[]', '{', '7', ''])('is refused when it holds %j', async (text) => {
    await writeFile('json-server.json', text)
    expect(() => read([])).toThrow(UsageError)
    expect(() => read([])).toThrow('configuration file json-server.json')
  })
})
