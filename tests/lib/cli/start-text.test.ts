import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { startText } from '../../../lib/cli/start-text'
import type { Data } from '../../../lib/data/valid-data'
import type { Style } from '../../../lib/style'
import { version } from '../../../package.json'
import { sampleData, tempFolders } from '../../support/data'
import { startedFor } from './started'

const ROOT = path.join(__dirname, '../../..')

const newFolder = tempFolders()

beforeEach(async () => process.chdir(await newFolder()))

const plain: Style = (_format, text) => text

function textOf(args: readonly string[] = [], data: Data = sampleData(), style: Style = plain): string {
  const settings = readCommandLine(args, {}, () => {})
  return startText(startedFor(settings, data), { port: 33000, style })
}

/** The names in the lines that begin with these words. */
function listed(text: string, words: string): string[] {
  const [, names = ''] = new RegExp(`^ *${words}: +(.*((?<=,)\\n.*)*)$`, 'm').exec(text) ?? []
  return names === '' ? [] : names.split(/,\s+/)
}

const SHIPPED: Data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
const TASKS = { tasks: [{ id: 1, text: 'Buy tea' }] }

describe('the text of a start', () => {
  it('says what is served where', () => {
    expect(textOf()).toMatch(`\n  json-server-bearer ${version} serves db.json at http://localhost:33000\n`)
    expect(textOf(['--host', '0.0.0.0'])).toContain(' at http://localhost:33000\n')
    expect(textOf(['--host', '::1'])).toContain(' at http://[::1]:33000\n')
  })

  it.each<[string[], Data]>([
    [['--docs'], SHIPPED],
    [['mine.json', '--user', 'me:secret', '--docs'], TASKS],
    [
      [
        ...[
          '--login',
          '/api/login',
          '--sign-up',
          '/api/register',
          '--me',
          '/api/me',
          '--logout',
          '/api/logout',
        ],
        ...['--allow', 'POST /messages', '--docs'],
      ],
      SHIPPED,
    ],
    [[], { blogs: [], [`${'long'.repeat(30)}`]: [], users: [] }],
    [['--allow', 'all'], SHIPPED],
    [[], TASKS],
  ])('fits on a screen of 80 columns, but for what is pasted: %j', (args, data) => {
    const lines = textOf(args, data).split('\n')
    expect(lines.length).toBeLessThanOrEqual(14)
    expect(lines.filter((line) => line.length > 80 && !/curl|Invoke-|longlong/.test(line))).toEqual([])
  })

  it("names the application's own paths, and whether they need a token", () => {
    const text = textOf(['--login', '/api/login', '--me', '/api/me', '--logout', '/api/logout'], TASKS)
    expect(text).toMatch(/With a token: \/api\/me, \/tasks/)
    expect(text).toMatch(/Without: .*POST \/api\/login, POST \/api\/logout/)
  })

  it('names the rules and middlewares that were loaded, and no line where there are none', async () => {
    await writeFile('routes.json', '{}')
    await writeFile('hello.js', 'module.exports = () => {}')
    const settings = readCommandLine(['--middlewares', 'hello.js'], {}, () => {})
    const text = (rules: Record<string, string>) =>
      startText(startedFor(settings, TASKS, { rules }), { port: 33000, style: plain })
    expect(text({ '/a': '/b', '/c': '/d' })).toMatch(/^ {2}Loaded routes\.json \(2 rules\), hello\.js$/m)
    expect(text({ '/a': '/b' })).toContain('(1 rule)')
    expect(textOf(['--routes='])).not.toContain('Loaded')
  })

  it('says what is open and what needs a token', async () => {
    expect(listed(textOf(), 'Without')).toEqual(['GET /blogs', 'GET /blogs/1', 'POST /auth/login'])
    const all = ['/blogs/', '/users', '/posts', '/comments', '/tags', '/profile']
    expect(listed(textOf(), 'With a token')).toEqual(all)
    expect(listed(textOf([], { $schema: './schema.json', notes: [] }), 'With a token')).toEqual(['/notes'])
    await mkdir('public')
    expect(listed(textOf(), 'Without')).toContain('the files in public')
    await writeFile('file', '')
    for (const other of ['missing', 'file']) expect(textOf(['--static', other])).not.toContain('files in')
    expect(listed(textOf(['--allow', 'DELETE /posts/:id']), 'Without')).toContain('DELETE /posts/:id')
  })

  it('names the path of a list, also where a service has another method there, and none that a page has', () => {
    const data = { docs: [], tasks: [], users: [] }
    const text = textOf(['--docs', '--login', '/tasks', '--user', 'me:x'], data)
    expect(listed(text, 'With a token')).toEqual(['/tasks', '/users'])
    expect(text).toMatch(/^ +(curl|Invoke-RestMethod) http:\/\/localhost:33000\/tasks /m)
  })

  it('says nothing of blogs and the lookup beside data that has none', () => {
    expect(textOf([], SHIPPED)).toContain('users.php')
    expect(textOf(['--user', 'me:x'], TASKS)).not.toMatch(/blog|users\.php/)
  })

  it('does not say that what is private is open', () => {
    for (const name of ['notes', 'notes.ownerId']) {
      const text = textOf(['--allow', 'all', '--private', name], { users: [], notes: [], tasks: [] })
      expect(listed(text, 'Everything is open')).toEqual(['/users', '/tasks'])
    }
  })

  it('shows six names, and how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`list${index}`, []]))
    for (const [args, words] of [
      [[], 'With a token'],
      [['--allow', 'all'], 'Everything is open'],
    ] as const)
      expect(listed(textOf(args, many), words).slice(5)).toEqual(['/list5', '14 more'])
  })

  it.each<[string[], Data, string]>([
    [[], { blogs: [{ id: 7 }] }, '/blogs/7'],
    [['--public', 'tags'], sampleData(), '/tags/a1b2'],
    [[], { blogs: [{ title: 'no id' }, { id: 'a b' }] }, '/blogs/a%20b'],
    [['--id', '_id'], { blogs: [{ id: 1, _id: 'k' }] }, '/blogs/k'],
    ...['', '\ud800', 'x'.repeat(1001)].map((id): [string[], Data, string] => [
      [],
      { blogs: [{ title: 'none' }, null, { id }, { id: 7 }] },
      '/blogs/7',
    ]),
  ])('names a record that a URL leads to: %j %j', (args, data, expected) => {
    expect(listed(textOf(args, data), 'Without')).toContain(`GET ${expected}`)
  })

  it.each<[string[], Data]>([
    [['--no-public'], sampleData()],
    [[], { posts: [] }],
    [[], { blogs: { title: 'singular' } }],
  ])('names no public read where there is none: %j %j', (args, data) => {
    expect(listed(textOf(args, data), 'Without')).toEqual(['POST /auth/login'])
  })

  it.each<[string, string[]]>([
    ['saved to db.json', []],
    ['memory, not in db.json', ['--in-memory']],
    ['memory, not in data.js', ['data.js']],
    ['memory, not in http://x/db.json', ['http://x/db.json']],
    ['http://localhost:33000/docs/data#email=ada%40example.com\n', ['--docs']],
    ['OpenID Connect: http://localhost:33000\n', ['--openid']],
    ['OpenID Connect: http://mock:33000\n', ['--openid', '--issuer', 'http://mock:33000']],
  ])('says "%s" with %j', (sentence, args) => {
    expect(textOf(args)).toContain(sentence)
  })

  it('says that the public list does not show changes, where it does not', () => {
    expect(textOf()).toContain('--live')
    for (const args of [['--live'], ['--no-public'], ['--read-only']])
      expect(textOf(args)).not.toContain('--live')
    // What is only in memory is gone after a restart.
    expect(textOf()).toContain('restart')
    for (const args of [['--in-memory'], ['data.js']]) expect(textOf(args)).not.toContain('restart')
  })

  it('says where a phone reaches a server that listens at every address', () => {
    const found = (address: string, internal = false, family: 'IPv4' | 'IPv6' = 'IPv4') => {
      const about = { address, internal, netmask: '', mac: '', cidr: null }
      return family === 'IPv4' ? { ...about, family } : { ...about, family, scopeid: 0 }
    }
    const interfaces = jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      lo: [found('127.0.0.1', true)],
      wlan0: [found('192.168.1.5'), found('fe80::1', false, 'IPv6')],
    })
    const sentence = /Other machines.*http:\/\/192\.168\.1\.5:33000\n/
    for (const host of ['0.0.0.0', '::']) expect(textOf(['--host', host])).toMatch(sentence)
    expect(textOf(['--host', '0.0.0.0'])).not.toMatch(/fe80|at http:\/\/127/)
    expect(textOf()).not.toContain('Other machines')
    interfaces.mockRestore()
  })

  it('has styles for a terminal, none of which holds another', () => {
    const drawn = textOf(['--docs'], SHIPPED, (format, text) => `«${format}|${text}»`)
    expect(drawn).toContain('«cyan|http://localhost:33000/docs/data»\n')
    expect(drawn).not.toMatch(/«[^»]*«/)
    expect(drawn.replace(/«\w+\||»/g, '')).toBe(textOf(['--docs'], SHIPPED))
  })

  it('lists what it can: a collection of its own, or everything', () => {
    const asked = (args: string[], data: Data) =>
      /^ +(?:curl|Invoke-RestMethod) http:\/\/localhost:33000(\S+)/m.exec(textOf(args, data))?.[1]
    expect(asked([], sampleData())).toBe('/blogs/')
    expect(asked(['--no-public'], sampleData())).toBe('/blogs')
    expect(asked(['--user', 'me:x'], { users: [], tasks: [] })).toBe('/tasks')
    expect(asked(['--user', 'me:x'], { 'a#b ü?%': [], users: [], profile: {} })).toBe('/a%23b%20%C3%BC%3F%25')
    expect(asked(['--user', 'me:x'], { '..': [], users: [], profile: {} })).toBe('/db')
    expect(asked(['--user', 'me:x'], {})).toBe('/db')
  })

  it('proposes no login when nobody can log in', () => {
    const hashed = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
    for (const data of [
      {},
      ...[[], [{ name: 'Ada', password: 1 }], {}, [hashed]].map((users) => ({ users })),
    ])
      expect(textOf([], data)).not.toMatch(/curl|invoke|log in/i)
  })
})
