import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { banner } from '../../../lib/cli/banner'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
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
  { env = {}, style = plain }: { env?: NodeJS.ProcessEnv; style?: Style } = {},
): string {
  const settings = readCommandLine(args, env, () => {})
  if (settings === undefined) throw new Error('No settings.')
  const services = servicesFor(settings, data)
  return banner(settings, data, { services, port: 33000, startTime: 310.4, style })
}

const SAMPLE_USER = { email: 'mia@example.com', password: 'sourdough' }

/** The lines between a heading and the next empty line. */
function section(text: string, heading: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const start = lines.findIndex((line) => line.startsWith(heading)) + 1
  return lines.slice(start, lines.indexOf('', start))
}

describe('banner', () => {
  it('says what is served where, and how long the start took', () => {
    expect(bannerOf()).toContain(`\n  json-server-bearer ${version} ready in 310 ms\n`)
    expect(bannerOf()).toContain('  serves db.json at http://localhost:33000\n')
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
    expect(section(bannerOf(), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/blogs          {"blogs": [...]} as loaded',
      'GET  http://localhost:33000/blogs/1',
      'GET  http://localhost:33000/api/users.php  always there',
    ])
    expect(section(bannerOf(), 'With a token').slice(0, -1)).toEqual([
      "http://localhost:33000/blogs/    3 records: json-server's array, with filters",
      'http://localhost:33000/users     2 records',
      'http://localhost:33000/posts     2 records',
      'http://localhost:33000/comments  3 records',
      'http://localhost:33000/tags      1 record',
      'http://localhost:33000/profile   one object',
    ])
    const notes = bannerOf([], { $schema: './schema.json', notes: [] })
    expect(section(notes, 'With a token').slice(0, -1)).toEqual(['http://localhost:33000/notes  0 records'])
    expect(bannerOf(['--live'])).toContain('  {"blogs": [...]} as it is now\n')
    await mkdir('public')
    expect(bannerOf()).toContain('  GET  http://localhost:33000/<file>         the files in public\n')
    expect(bannerOf(['--static', 'missing'])).not.toContain('<file>')
    expect(section(bannerOf(['--allow', 'DELETE /posts/:id']), 'Without a token')).toContain(
      'DELETE http://localhost:33000/posts/:id',
    )
  })

  it('has no line of more than 100 characters with the sample data', async () => {
    const data: Data = JSON.parse(readFileSync(path.join(ROOT, 'db.json'), 'utf8'))
    const lines = bannerOf(['--docs', '--sandboxes'], data).split('\n')
    expect(lines.filter((line) => line.length > 100)).toEqual([])
  })

  it('has styles for a terminal, none of which holds another', () => {
    const drawn = bannerOf([], sampleData(), { style: (format, text) => `«${format}|${text}»` })
    expect(drawn).toContain('«bold|Without a token»\n')
    expect(drawn).toContain('«yellow|POST» «cyan|http://localhost:33000/auth/login»\n')
    expect(drawn).toContain('«green|GET»  «cyan|http://localhost:33000/blogs»          «dim|{')
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
    expect(section(bannerOf(args, data), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/api/users.php  always there',
    ])
  })

  it.each<[string, string[]]>([
    ['Changes are saved to db.json.', []],
    ['Changes stay in memory: db.json is never written.', ['--in-memory']],
    ['Changes stay in memory: data.js is never written.', ['data.js']],
    ['Changes stay in memory: http://x/db.json is never written.', ['http://x/db.json']],
    ['Read-only: changes are refused with 403.', ['--read-only']],
    ['A token lasts 1 hour, or until this server stops (set JWT_SECRET to keep it).', []],
    ['A token lasts 15 minutes, or', ['--expires-in', '15m']],
    ['A token lasts 90 seconds, or', ['--expires-in', '90s']],
    ['Type s and Enter to save a snapshot', []],
  ])('says "%s" with %j', (sentence, args) => {
    expect(bannerOf(args)).toContain(sentence)
  })

  it('names the files of the rewrite rules and the middlewares, where there are some', async () => {
    for (const file of ['rules.json', 'a.js', 'b.js']) await writeFile(file, '')
    expect(bannerOf()).not.toMatch(/rewrite|middleware/i)
    const text = bannerOf(['-r', 'rules.json', '-m', 'a.js', 'b.js'])
    expect(text).toContain('\n  Rewrite rules from rules.json.\n  Middlewares from a.js, b.js.\n')
  })

  it('names the delay, which a configuration file may give, where there is one', () => {
    expect(bannerOf()).not.toContain('delayed')
    expect(bannerOf(['--delay', '300'])).toContain('\n  Resources are delayed by 300 ms.\n')
  })

  it('says that a token outlasts a restart when there is a secret', () => {
    expect(bannerOf([], sampleData(), { env: { JWT_SECRET: 'x'.repeat(32) } })).toContain(
      'A token lasts 1 hour, also after a restart.\n',
    )
  })

  it('says where the page is with --docs, and that there is one without it', () => {
    expect(bannerOf()).toContain('\n  With --docs, a page shows the API and lets you try it in a browser.\n')
    expect(bannerOf(['--docs'])).toContain(
      '\n  Read and try the API in a browser: http://localhost:33000/docs\n',
    )
  })

  it('says what --sandboxes and --faults do, where they are given', async () => {
    await writeFile('faults.json', '[]')
    const [both, neither] = [bannerOf(['--sandboxes', '--faults', 'faults.json']), bannerOf()]
    for (const sentence of [
      'Each value of the header X-Sandbox names a separate copy of the data.',
      'Requests fail by the rules in faults.json.',
    ]) {
      expect(both).toContain(`\n  ${sentence}\n`)
      expect(neither).not.toContain(sentence)
    }
  })

  it('proposes no login when nobody can log in', () => {
    const hashed = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
    for (const users of [undefined, [], [{ name: 'Ada', password: 1 }], {}, [hashed]]) {
      expect(bannerOf([], { users })).not.toContain('curl')
      expect(bannerOf([], { users })).not.toMatch(/log in/i)
    }
    const users = [hashed, { email: 'bob@example.com', password: '$2b$' }]
    expect(bannerOf([], { users })).toContain('Log in as bob@example.com, with')
  })

  describe.each(['sh', 'bash'])('pasted into %s', (shell) => {
    testOfUnix.each<[string[], Data, string, object]>([
      [[], { users: [SAMPLE_USER] }, 'mia@example.com', SAMPLE_USER],
      [
        [],
        sampleData(),
        'ada@example.com, with the password in place of PASSWORD',
        { email: 'ada@example.com' },
      ],
      [
        ['--user', 'me:x'],
        { users: [SAMPLE_USER] },
        'me, with the password in place of PASSWORD',
        { email: 'me' },
      ],
      [
        ['--user', `o'hara+$HOME\`b\` "c" 100% (d)!:x`],
        {},
        "o'hara",
        { email: `o'hara+$HOME\`b\` "c" 100% (d)!` },
      ],
    ])('the line logs in: %j %j', async (args, data, heading, form) => {
      const text = bannerOf(args, data)
      expect(text).toContain(`\n  Log in as ${heading}`)
      expect(text).not.toContain('lovelace')
      expect(await paste(text, shell)).toEqual({
        form: { password: 'PASSWORD', ...form },
        others: ['http://localhost:33000/auth/login'],
      })
    })
  })

  it('prints a line of characters that neither cmd nor PowerShell changes', () => {
    const text = bannerOf(['--user', `a"b$c\`d%e^f!g'h(i)&|<>;,~:x`], {})
    const [line = ''] = /curl.*/.exec(text) ?? []
    expect(line).toMatch(/^curl(\.exe)? http:[\w/:.]+ -d email=[\w.%-]+ -d password=PASSWORD$/)
  })

  it('leaves the @ of an email as it is', () => {
    expect(bannerOf(['--user', 'ada@example.com:x'], {})).toContain(' -d email=ada@example.com ')
  })

  testOfUnix('takes a certificate that the machine does not know', async () => {
    await writeFile('cert.pem', '')
    const text = bannerOf(['--cert', 'cert.pem', '--key', 'cert.pem', '--user', 'me:x'])
    expect(await paste(text, 'sh')).toMatchObject({ others: ['-k', 'https://localhost:33000/auth/login'] })
  })
})

/** Runs the line as a shell does, and gives the form that would be sent, and what else curl is told. */
async function paste(text: string, shell: string): Promise<unknown> {
  const [line = ''] = /curl.*/.exec(text) ?? []
  const curl = `curl() { printf '%s\\n' "$@"; }`
  const { stdout } = await promisify(execFile)(shell, ['-c', `${curl}\n${line}`])
  const given = stdout.trimEnd().split('\n')
  const form = given.filter((_word, index) => given[index - 1] === '-d').join('&')
  return {
    form: Object.fromEntries(new URLSearchParams(form)),
    others: given.filter((word, index) => word !== '-d' && given[index - 1] !== '-d'),
  }
}
