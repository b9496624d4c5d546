import { writeFile } from 'node:fs/promises'
import { readCommandLine, type Settings } from '../../../lib/cli/flags/command-line'
import { startText } from '../../../lib/cli/start-text'
import { warnings } from '../../../lib/cli/warnings'
import { sampleData, tempFolders } from '../../support/data'
import { startedFor } from './started'

const newFolder = tempFolders()

beforeEach(async () => process.chdir(await newFolder()))

function read(args: readonly string[]): Settings {
  return readCommandLine(args, {}, () => {})
}

async function readWith(allow: unknown, args: readonly string[] = [], more: object = {}): Promise<Settings> {
  await writeFile('json-server.json', JSON.stringify({ allow, ...more }))
  return read(args)
}

const ALONE = 'alone'

describe('the word all', () => {
  it('opens everything, and leaves no collection public unless one is named', async () => {
    const open = { allow: 'all', publicCollection: false }
    expect(read(['--allow', 'all'])).toMatchObject(open)
    expect(await readWith('all')).toMatchObject(open)
    const named = { allow: 'all', publicCollection: 'blogs' }
    expect(read(['--allow', 'all', '--public', 'blogs'])).toMatchObject(named)
    expect(await readWith('all', [], { public: 'blogs' })).toMatchObject(named)
    expect(await readWith('all', ['--no-public'], { public: 'blogs' })).toMatchObject(open)
  })

  it('a flag replaces what the file says', async () => {
    const some = { allow: ['GET /posts'], publicCollection: 'blogs' }
    expect(await readWith('all', ['--allow', 'GET /posts'])).toMatchObject(some)
    expect(await readWith(['GET /posts'])).toMatchObject(some)
    expect(await readWith(['GET /posts'], ['--allow', 'all'])).toMatchObject({ allow: 'all' })
  })

  it('is refused beside others', async () => {
    for (const other of ['GET /posts', 'all']) {
      expect(() => read(['--allow', 'all', '--allow', other])).toThrow(ALONE)
      expect(() => read(['--allow', other, '--allow', 'all'])).toThrow(ALONE)
    }
    for (const list of [
      ['all', 'GET /posts'],
      ['GET /posts', 'all'],
    ])
      await expect(readWith(list)).rejects.toThrow(ALONE)
    expect(() => read(['--allow', 'ALL'])).toThrow('"ALL"')
  })
})

describe('the start with it', () => {
  const textOf = (...args: string[]) => {
    const settings = read(['--allow', 'all', ...args])
    const style = (_format: string, text: string) => text
    return startText(startedFor(settings, sampleData()), { port: 33000, style })
  }
  const warningsOf = (...args: string[]) => {
    const settings = read(['--allow', 'all', ...args])
    return warnings(startedFor(settings, sampleData()))
  }

  it('says that everything is open', () => {
    expect(textOf()).toMatch(/Everything.*\/blogs/)
    expect(textOf()).not.toMatch(/token|Log in as/)
  })

  it.each(['localhost', '127.0.0.1', '127.0.0.2', '::1'])('warns of nothing on %s', (host) => {
    expect(warningsOf('--host', host)).toEqual([])
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'mybox'])('warns of %s, which everybody reaches', (host) => {
    expect(warningsOf('--host', host)).toEqual([expect.stringContaining('--host')])
  })

  it('takes hosts that may use it besides, and warns where all may', async () => {
    const hosts = ['--allow-host', '10.0.2.2', '--allow-host', '.test']
    expect(read(['--allow', 'all', ...hosts])).toMatchObject({ allowedHosts: ['10.0.2.2', '.test'] })
    expect(await readWith('all', [], { 'allow-host': '.test' })).toMatchObject({ allowedHosts: ['.test'] })
    expect(() => read(['--allow-host', 'http://x.test/'])).toThrow(/--allow-host: "http:\/\/x.test\/"/)
    expect(warningsOf(...hosts)).toEqual([])
    expect(warningsOf('--allow-host', 'all')).toEqual([expect.stringContaining('every web page')])
    const alone = read(['--allow', 'GET /posts', '--allow-host', '10.0.2.2'])
    expect(warnings(startedFor(alone, sampleData()))).toContainEqual(expect.stringContaining('--allow-host'))
  })

  it('does not ask for a login', () => {
    expect(warnings(startedFor(read(['--allow', 'all']), { posts: [] }))).toEqual([])
  })
})
