import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { banner } from '../../../lib/cli/banner'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import type { RewriteRules } from '../../../lib/http/rewrite-rules'
import { sampleData } from '../../support/helpers'
import { tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()
const home = process.cwd()

beforeEach(async () => process.chdir(await newFolder()))
afterEach(() => process.chdir(home))

function bannerOf(
  args: readonly string[] = [],
  data: Data = sampleData(),
  env: NodeJS.ProcessEnv = {},
  rules: RewriteRules = {},
): string {
  const settings = readCommandLine(args, env, () => {})
  if (settings === undefined) throw new Error('No settings.')
  return banner(settings, data, rules, 33000)
}

/** The lines between a heading and the next empty line. */
function section(text: string, heading: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(heading)) + 1
  return lines.slice(start, lines.indexOf('', start)).map((line) => line.trim())
}

describe('banner', () => {
  it('says what is served where', () => {
    expect(bannerOf()).toContain('json-server-bearer serves db.json at http://localhost:33000\n')
    expect(bannerOf(['--host', '0.0.0.0'])).toContain(' at http://localhost:33000\n')
    expect(bannerOf(['--host', '::1'])).toContain(' at http://[::1]:33000\n')
  })

  it('says what is open and what needs a token', async () => {
    expect(section(bannerOf(), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/blogs  ({"blogs": [...]}, without filters; as loaded; with --live, as it is now)',
      'GET  http://localhost:33000/blogs/1',
      'GET  http://localhost:33000/api/users.php',
    ])
    expect(section(bannerOf(), 'With a token')).toEqual(
      ['blogs', 'users', 'posts', 'comments', 'tags', 'profile'].map(
        (name) => `http://localhost:33000/${name}`,
      ),
    )
    expect(bannerOf(['--live'])).toContain('without filters; as it is now)\n')
    await mkdir('public')
    expect(bannerOf()).toContain('  GET  http://localhost:33000/<file>  (the files in public)\n')
    expect(bannerOf(['--static', 'missing'])).not.toContain('<file>')
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
  ])('names no public read where there is none: %j', (args, data) => {
    expect(section(bannerOf(args, data), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/api/users.php',
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

  it('says how many rewrite rules and middleware files there are, where there are some', async () => {
    for (const file of ['rules.json', 'a.js', 'b.js']) await writeFile(file, '')
    expect(bannerOf()).not.toMatch(/rewrite|middleware/)
    const args = ['-r', 'rules.json', '-m', 'a.js', 'b.js']
    const both = bannerOf(args, sampleData(), {}, { '/a': '/posts' })
    expect(both).toContain('\n1 rewrite rule from rules.json, 2 middleware files.\n')
    expect(bannerOf(args)).toContain('\n2 middleware files.\n')
  })

  it('says that a token outlasts a restart when there is a secret', () => {
    expect(bannerOf([], sampleData(), { JWT_SECRET: 'x'.repeat(32) })).toContain(
      'A token lasts 1 hour, also after a restart.\n',
    )
  })

  it('says where the page is with --docs, and the login of the shipped sample alone', () => {
    expect(bannerOf()).not.toContain('/docs')
    expect(bannerOf(['--docs'])).toContain('  http://localhost:33000/docs\n')
    expect(bannerOf(['--docs'])).not.toContain('lovelace')
    const sample = { users: [{ email: 'mia@example.com', password: 'sourdough' }] }
    expect(bannerOf(['--docs'], sample)).toContain('as mia@example.com with the password sourdough.')
  })

  it('proposes no login when nobody can log in', () => {
    const hashed = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
    for (const users of [undefined, [], [{ name: 'Ada', password: 1 }], {}, [hashed]]) {
      expect(bannerOf([], { users })).not.toContain('curl')
      expect(bannerOf([], { users })).not.toMatch(/log in/i)
    }
    const users = [hashed, { email: 'bob@example.com', password: '$2b$' }]
    expect(bannerOf([], { users })).toContain('Log in as bob@example.com (')
  })

  it('says that there is nothing to read yet', () => {
    expect(section(bannerOf([], {}), 'With a token')).toEqual([
      'nothing yet: add a collection to db.json, for instance "posts": []',
    ])
  })

  it.each(['db.json', 'my data.json', 'dollar$HOME.json'])(
    'prints a line that logs in as the first user of %s who can',
    async (name) => {
      const data = sampleData()
      const users = [{ id: 0, name: 'Nobody' }, ...(Array.isArray(data.users) ? data.users : [])]
      await mkdir('a folder')
      const source = path.join('a folder', name)
      await writeFile(source, JSON.stringify({ ...data, users }))
      const text = bannerOf([source], { ...data, users })
      expect(text).toContain('Log in as ada@example.com (paste this line)\n')
      expect(text).not.toContain('lovelace')
      const [url, , type, , body = ''] = await paste(text)
      expect([url, type]).toEqual(['http://localhost:33000/auth/login', 'Content-Type: application/json'])
      expect(JSON.parse(body)).toMatchObject({ email: 'ada@example.com', password: 'lovelace' })
    },
  )

  it.each<[string[], Data]>([
    [['--user', "o'hara:pass word"], {}],
    [['data.js'], { users: [{ email: "o'hara", password: 'pass word' }] }],
    [['http://x/db.json'], { users: [{ email: "o'hara", password: 'pass word' }] }],
  ])('prints a line that asks for the password where no file has it: %j', async (args, data) => {
    const text = bannerOf(args, data)
    expect(text).toContain("Log in as o'hara (paste this line, then type the password, which is not shown)\n")
    expect(text).not.toContain('pass word')
    for (const shell of ['sh', 'bash']) {
      const [url, ...form] = await paste(text, 'pass word\n', shell)
      const flag = '--data-urlencode'
      expect([url, form]).toEqual([
        'http://localhost:33000/auth/login',
        [flag, "email=o'hara", flag, 'password=pass word'],
      ])
    }
  })

  it('shows no password that is typed, and then shows again what is typed', async () => {
    const line = lineToPaste(bannerOf(['--user', 'me:pass word'], {}))
    const running = promisify(execFile)('sh', [
      '-c',
      `curl() { :; }\nstty() { echo "$1 <$PASSWORD>"; }\n${line}`,
    ])
    running.child.stdin?.end('pass word\n')
    expect((await running).stdout).toBe('-echo <>\necho <pass word>\n\n')
  })

  it('lets curl take a certificate that it does not know', async () => {
    await writeFile('cert.pem', '')
    const text = bannerOf(['--cert', 'cert.pem', '--key', 'cert.pem', '--user', 'me:x'])
    expect(text).toContain('curl -sk https://localhost:33000/auth/login')
  })
})

/** Runs the line as a shell does, and gives what curl would be called with after its flags. */
async function paste(text: string, typed = '', shell = 'sh'): Promise<string[]> {
  const line = lineToPaste(text)
  const running = promisify(execFile)(shell, [
    '-c',
    `stty() { :; }\ncurl() { printf '%s\\0' "$@"; }\n${line}`,
  ])
  running.child.stdin?.end(typed)
  const { stdout } = await running
  return stdout.split('\0').slice(1, -1)
}

function lineToPaste(text: string): string | undefined {
  return text.split('\n').find((candidate) => candidate.includes('curl -s'))
}
