import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { banner } from '../../../lib/cli/banner'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { loginHelp } from '../../../lib/cli/login-help'
import type { Data } from '../../../lib/data/valid-data'
import type { RewriteRules } from '../../../lib/http/rewrite-rules'
import type { Style } from '../../../lib/style'
import { version } from '../../../package.json'
import { sampleData, tempFolders } from '../../support/data'
import { testOfUnix } from '../../support/platform'
import { servicesFor } from './services'

const ROOT = path.join(__dirname, '../../..')

const newFolder = tempFolders()
const home = process.cwd()

beforeEach(async () => process.chdir(await newFolder()))
afterEach(() => process.chdir(home))

const plain: Style = (_format, text) => text

function bannerOf(
  args: readonly string[] = [],
  data: Data = sampleData(),
  { env = {}, ...given }: { env?: NodeJS.ProcessEnv; style?: Style; rules?: RewriteRules } = {},
): string {
  const settings = readCommandLine(args, env, () => {})
  if (settings === undefined) throw new Error('No settings.')
  const services = servicesFor(settings, data)
  return banner(settings, data, { services, port: 33000, startTime: 310.4, style: plain, ...given })
}

const SAMPLE_USER = { email: 'mia@example.com', password: 'sourdough' }

/** The lines between a heading and the next empty line. */
function section(text: string, heading: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const start = lines.findIndex((line) => line.startsWith(heading)) + 1
  return lines.slice(start, lines.indexOf('', start))
}

/** The methods and paths in a section, without what is said of them. */
function addresses(text: string, heading: string): string[] {
  return section(text, heading)
    .map((line) => /^(?:([A-Z]+) +)?http:\/\/localhost:33000(\S*)/.exec(line))
    .filter((found) => found !== null)
    .map(([, method, path]) => (method === undefined ? `${path}` : `${method} ${path}`))
}

describe('banner', () => {
  it('says what is served where, and how long the start took', () => {
    expect(bannerOf()).toContain(`\n  json-server-bearer ${version} ready in 310 ms\n`)
    expect(bannerOf()).toContain(' db.json at http://localhost:33000\n')
    expect(bannerOf(['--host', '0.0.0.0'])).toContain(' at http://localhost:33000\n')
    expect(bannerOf(['--host', '::1'])).toContain(' at http://[::1]:33000\n')
  })

  it.each(['', '\ud800', 'x'.repeat(1001)])(
    'shows the first record that a URL leads to, not that of "%s"',
    (id) => {
      const lines = section(
        bannerOf([], { blogs: [{ title: 'none' }, null, { id }, { id: 7 }] }),
        'Without a token',
      )
      expect(lines).toContain('GET  http://localhost:33000/blogs/7')
    },
  )

  it('says what is open and what needs a token', async () => {
    expect(addresses(bannerOf(), 'Without a token')).toEqual([
      'GET /blogs',
      'GET /blogs/1',
      'POST /auth/login',
      'GET /api/users.php',
    ])
    expect(addresses(bannerOf(), 'With a token')).toEqual([
      '/auth/me',
      '/blogs/',
      '/users',
      '/posts',
      '/comments',
      '/tags',
      '/profile',
    ])
    const notes = bannerOf([], { $schema: './schema.json', notes: [] })
    expect(addresses(notes, 'With a token')).toEqual(['/auth/me', '/notes'])
    expect(bannerOf()).toMatch(/\/tags +1 record\n/)
    expect(bannerOf()).toMatch(/\/posts +2 records\n/)
    await mkdir('public')
    expect(bannerOf()).toMatch(/ {2}GET {2}http:\/\/localhost:33000\/<file> .* public\n/)
    expect(bannerOf(['--static', 'missing'])).not.toContain('<file>')
    expect(section(bannerOf(['--allow', 'DELETE /posts/:id']), 'Without a token')).toContain(
      'DELETE http://localhost:33000/posts/:id',
    )
  })

  it('has no line of more than 80 characters with the sample data, but for commands', async () => {
    const data: Data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
    const lines = bannerOf(['--docs', '--sandboxes'], data).split('\n')
    expect(lines.filter((line) => line.length > 80 && !line.includes('curl'))).toEqual([])
  })

  it('has styles for a terminal, none of which holds another', () => {
    const drawn = bannerOf([], sampleData(), { style: (format, text) => `«${format}|${text}»` })
    expect(drawn).toContain('«bold|Without a token»\n')
    expect(drawn).toContain('    POST «cyan|http://localhost:33000/auth/login»\n')
    expect(drawn).toContain('    GET  «cyan|http://localhost:33000/blogs»          «dim|{')
    expect(drawn).not.toMatch(/«[^»]*«/)
    expect(drawn.replace(/«\w+\||»/g, '')).toBe(bannerOf())
  })

  it.each<[string[], Data, string]>([
    [[], { blogs: [{ id: 7 }] }, '/blogs/7\n'],
    [['--public', 'tags'], sampleData(), '/tags/a1b2\n'],
    [[], { blogs: [{ title: 'no id' }, { id: 'a b' }] }, '/blogs/a%20b\n'],
    [['--id', '_id'], { blogs: [{ id: 1, _id: 'k' }] }, '/blogs/k\n'],
  ])('names a record that exists: %j %j', (args, data, expected) => {
    expect(bannerOf(args, data)).toContain(`GET  http://localhost:33000${expected}`)
  })

  it.each<[string[], Data]>([
    [['--no-public'], sampleData()],
    [[], { posts: [] }],
    [[], { blogs: { title: 'singular' } }],
  ])('names no public read where there is none: %j %j', (args, data) => {
    expect(addresses(bannerOf(args, data), 'Without a token')).toEqual([
      'POST /auth/login',
      'GET /api/users.php',
    ])
  })

  it.each<[string, string[]]>([
    ['saved to db.json', []],
    ['memory: db.json', ['--in-memory']],
    ['memory: data.js', ['data.js']],
    ['memory: http://x/db.json', ['http://x/db.json']],
    ['403', ['--read-only']],
    ['1 hour, or until', []],
    ['15 minutes, or', ['--expires-in', '15m']],
    ['90 seconds, or', ['--expires-in', '90s']],
  ])('says "%s" with %j', (sentence, args) => {
    expect(bannerOf(args)).toContain(sentence)
  })

  it('names the files of the rewrite rules and the middlewares, where there are some', async () => {
    for (const file of ['rules.json', 'a.js', 'b.js']) await writeFile(file, '')
    expect(bannerOf()).not.toMatch(/rewrite|middleware/i)
    const rules = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`/${index}/*`, '/$1']))
    const text = bannerOf(['-r', 'rules.json', '-m', 'a.js', 'b.js'], sampleData(), { rules })
    expect(text).toContain('a.js, b.js')
    const listed = section(text, 'Rewrite rules from rules.json')
    expect([listed[0], ...listed.slice(14)]).toEqual(['/0/* -> /$1', '/14/* -> /$1', 'and 2 more'])
    expect(bannerOf(['-r', 'rules.json'])).not.toMatch(/rewrite/i)
  })

  it('says what a middleware must mind with --allow', async () => {
    await writeFile('a.js', '')
    const sentence = 'req.auth'
    expect(bannerOf(['-m', 'a.js', '--allow', 'GET /posts'])).toContain(sentence)
    for (const args of [
      ['-m', 'a.js'],
      ['--allow', 'GET /posts'],
      ['-m', 'a.js', '--allow', 'all'],
    ])
      expect(bannerOf(args)).not.toContain(sentence)
  })

  it('lists fifteen routes, and how many more there are', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`list${index}`, []]))
    // Ahead of them is a line for /auth/me, and behind them one for the lifetime of a token.
    const listed = (count: number) => section(bannerOf([], many(count)), 'With a token').slice(1, -1)
    expect(listed(14)).toHaveLength(14)
    expect(listed(14).at(-1)).toContain('/list13 ')
    expect(listed(100).slice(13)).toEqual([expect.stringContaining('/list13 '), 'and 86 more'])
    expect(section(bannerOf(['--allow', 'all'], many(100)), 'Everything is open').at(-1)).toBe('and 85 more')
  })

  it('begins the open routes with those of the server, however many rules there are', () => {
    const rules = Array.from({ length: 20 }, (_, index) => ['--allow', `GET /list${index}`]).flat()
    const listed = section(bannerOf(rules), 'Without a token')
    expect(listed[0]).toContain('/blogs ')
    expect(listed.slice(0, 5).join()).toContain('/auth/login')
    expect(listed.at(-1)).toMatch(/^and \d+ more$/)
  })

  it('ends with the keys that there are', () => {
    expect(bannerOf()).toMatch(/\n\n {2}.*Ctrl\+C.*\n$/)
  })

  it('says that the public list does not show changes, where it does not', () => {
    const sentence = '--live'
    expect(bannerOf()).toContain(sentence)
    for (const args of [['--live'], ['--no-public'], ['--read-only']])
      expect(bannerOf(args)).not.toContain(sentence)
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
    for (const host of ['0.0.0.0', '::']) expect(bannerOf(['--host', host])).toMatch(sentence)
    expect(bannerOf(['--host', '0.0.0.0'])).not.toMatch(/fe80|at http:\/\/127/)
    expect(bannerOf()).not.toContain('Other machines')
    interfaces.mockRestore()
  })

  it('names the delay, which a configuration file may give, where there is one', () => {
    expect(bannerOf()).not.toContain('delayed')
    expect(bannerOf(['--delay', '300'])).toContain('300 ms')
  })

  it('says that a token outlasts a restart when there is a secret', () => {
    expect(bannerOf([], sampleData(), { env: { JWT_SECRET: 'x'.repeat(32) } })).toContain('after a restart')
  })

  it('says where the page is with --docs', () => {
    expect(bannerOf(['--docs'])).toContain(' http://localhost:33000/docs\n')
  })

  it('says what --sandboxes and --faults do, where they are given', async () => {
    await writeFile('faults.json', '[]')
    const [both, neither] = [bannerOf(['--sandboxes', '--faults', 'faults.json']), bannerOf()]
    for (const sentence of ['X-Sandbox', 'faults.json']) {
      expect(both).toContain(sentence)
      expect(neither).not.toContain(sentence)
    }
  })

  it('proposes no login when nobody can log in', () => {
    const hashed = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
    for (const data of [
      {},
      ...[[], [{ name: 'Ada', password: 1 }], {}, [hashed]].map((users) => ({ users })),
    ]) {
      expect(bannerOf([], data)).not.toContain('curl')
      expect(bannerOf([], data)).not.toMatch(/log in/i)
    }
    const users = [hashed, { email: 'bob@example.com', password: '$2b$' }]
    expect(bannerOf([], { users })).toContain('bob@example.com')
  })

  describe.each(['sh', 'bash'])('pasted into %s', (shell) => {
    testOfUnix.each<[string[], Data, string, object]>([
      [[], { users: [SAMPLE_USER] }, 'mia@example.com', SAMPLE_USER],
      [[], sampleData(), 'ada@example.com', { email: 'ada@example.com' }],
      [['--user', 'me:x'], { users: [SAMPLE_USER] }, 'me,', { email: 'me' }],
      [
        ['--user', `o'hara+$HOME\`b\` "c" 100% (d)!:x`],
        {},
        "o'hara",
        { email: `o'hara+$HOME\`b\` "c" 100% (d)!` },
      ],
    ])('the lines log in, and send the token: %j %j', async (args, data, heading, form) => {
      const text = bannerOf(args, data)
      expect(text).toContain(`\n  Log in as ${heading}`)
      expect(text).not.toContain('lovelace')
      const [login = [], ...others] = await paste(text, shell)
      expect(login.slice(0, 3)).toEqual(['-s', 'http://localhost:33000/auth/login', '-d'])
      expect(formIn(login)).toEqual({ password: 'PASSWORD', ...form })
      for (const words of others) expect(words).toContain('Authorization: Bearer the-token')
    })

    testOfUnix.each(["q&a$HOME'(`b`)", 'a;b|c<d>', '"a"*!~\\'])(
      'the lines ask for the collection %s',
      async (name) => {
        const commands = await paste(bannerOf(['--user', 'me:x'], { [name]: [] }), shell)
        const url = `http://localhost:33000/${name}`
        expect(commands.slice(1).map(([first]) => first)).toEqual([url, url])
      },
    )

    testOfUnix('the lines ask an address in brackets', async () => {
      const commands = await paste(bannerOf(['--user', 'me:x', '--host', '::1'], { tasks: [] }), shell)
      const login = 'http://[::1]:33000/auth/login'
      const url = 'http://[::1]:33000/tasks'
      expect(commands.map((words) => words.find((word) => word.startsWith('http')))).toEqual([
        login,
        url,
        url,
      ])
      expect(bannerOf(['--user', 'me:x', '--host', '::1'], { tasks: [] })).toContain(` '${login}' `)
    })

    it('a password with any character goes in place of the word', async () => {
      const text = bannerOf(['--user', 'me:x'], {})
        .replace('PASSWORD', '')
        .replace('PASSWORD', 'a&b+c d%"$HOME')
      const [login = []] = await paste(text, shell)
      expect(login).toContain('password=a&b+c d%"$HOME')
    })
  })

  it.each<[string[], Data, string[][]]>([
    [[], sampleData(), [['/blogs/'], ['/blogs/', 'title=New']]],
    [['--no-public'], sampleData(), [['/blogs'], ['/blogs', 'title=New']]],
    [['--read-only'], sampleData(), [['/blogs/']]],
    [
      ['--user', 'me:x'],
      { users: [], tasks: [{ id: 'a', 'a text': 'Tea' }] },
      [['/tasks'], ['/tasks', 'a%20text=New']],
    ],
    [['--user', 'me:x'], { tasks: [{ id: 'a', day: 'Monday' }] }, [['/tasks'], ['/tasks', 'day=New']]],
    [['--user', 'me:x'], { tasks: [{ '@type': 'Task' }] }, [['/tasks'], ['/tasks', '%40type=New']]],
    [['--user', 'me:x'], { tasks: [{ '\ud800': 'half', day: 'x' }] }, [['/tasks'], ['/tasks', 'day=New']]],
    [['--user', 'me:x'], { tasks: [] }, [['/tasks'], ['/tasks', 'title=New']]],
    [['--user', 'me:x'], { 'a#b': [], users: [], profile: {} }, [['/db']]],
    [['--user', 'me:x'], {}, [['/db']]],
  ])('reads, and adds a record where there can be one: %j %j', async (args, data, expected) => {
    const [, ...others] = await paste(bannerOf(args, data), 'sh')
    const found = others.map(([url = '', , , , form]) => [url.replace('http://localhost:33000', ''), form])
    expect(found).toEqual(expected.map(([path, form]) => [path, form]))
  })

  function forPowerShell(data: Data): string[] | undefined {
    const settings = readCommandLine(['--user', "o'hara:x"], {}, () => {})
    if (settings === undefined) throw new Error('No settings.')
    return loginHelp(settings, data, 'http://localhost:33000', { services: [], shell: 'powershell' })?.lines
  }

  it('prints lines of their own for PowerShell', () => {
    expect(forPowerShell({ tasks: [] })).toEqual([
      "$TOKEN = (irm 'http://localhost:33000/auth/login' -Method Post " +
        "-Body @{email='o''hara'; password='PASSWORD'}).access_token",
      `irm 'http://localhost:33000/tasks' -Headers @{Authorization="Bearer $TOKEN"}`,
      `irm 'http://localhost:33000/tasks' -Headers @{Authorization="Bearer $TOKEN"} -Method Post -Body @{'title'='New'}`,
    ])
  })

  it.each(["'", '‘', '’', '‚', '‛'])('doubles %s, which is a quote for PowerShell', (quote) => {
    const lines = forPowerShell({ tasks: [{ [`a${quote};b`]: 'x' }] }) ?? []
    expect(lines[2]).toContain(`-Body @{'a${quote}${quote};b'='New'}`)
  })

  it.each(['\ud800', '\u001b[2J'])('proposes no login of a stranger whose email has %j', (text) => {
    const stranger = { email: `a${text}`, password: 'x' }
    expect(bannerOf([], { users: [stranger] })).not.toMatch(/log in/i)
    const other = { email: 'bob@example.com', password: 'y' }
    expect(bannerOf([], { users: [stranger, other] })).toContain('bob@example.com')
  })

  it('quotes an address for PowerShell', () => {
    const [, line] = forPowerShell({ "q&a'(b)": [] }) ?? []
    expect(line).toBe(`irm 'http://localhost:33000/q&a''(b)' -Headers @{Authorization="Bearer $TOKEN"}`)
  })

  it('leaves the @ of an email as it is', () => {
    expect(bannerOf(['--user', 'ada@example.com:x'], {})).toContain(' -d email=ada@example.com ')
  })

  testOfUnix('takes a certificate that the machine does not know', async () => {
    await writeFile('cert.pem', '')
    const text = bannerOf(['--cert', 'cert.pem', '--key', 'cert.pem', '--user', 'me:x'])
    const commands = await paste(text, 'sh')
    expect(commands.map(([first]) => first)).toEqual(['-k', '-k', '-k'])
  })
})

/** Runs the lines as a shell does, and gives the words that each curl is told. */
async function paste(text: string, shell: string): Promise<string[][]> {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.includes('TOKEN=$('))
  const pasted = lines.slice(first, lines.indexOf('', first)).join('\n')
  const curl = `curl() { printf '%s\\n' "$@" '' >&2; printf '{\\n  "access_token": "the-token"\\n}\\n'; }`
  const { stderr } = await promisify(execFile)(shell, ['-c', `${curl}\n${pasted}`])
  return stderr
    .trim()
    .split('\n\n')
    .map((words) => words.split('\n'))
}

/** The fields of the form that curl would send. */
function formIn(words: readonly string[]): Record<string, string> {
  const fields = words.filter((_word, index) => /^(-d|--data-urlencode)$/.test(words[index - 1] ?? ''))
  return Object.fromEntries(new URLSearchParams(fields.join('&')))
}
