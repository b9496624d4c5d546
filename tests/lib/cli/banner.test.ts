import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { banner } from '../../../lib/cli/banner'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import type { Data } from '../../../lib/data/valid-data'
import { sampleData, tempFolders } from '../../support/data'

const newFolder = tempFolders()
const home = process.cwd()

beforeEach(async () => process.chdir(await newFolder()))
afterEach(() => process.chdir(home))

function bannerOf(
  args: readonly string[] = [],
  data: Data = sampleData(),
  env: NodeJS.ProcessEnv = {},
): string {
  const settings = readCommandLine(args, env, () => {})
  if (settings === undefined) throw new Error('No settings.')
  return banner(settings, data, 33000)
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
      'GET  http://localhost:33000/blogs  ({"blogs": [...]}, unfiltered, with a token too; as loaded; with --live, as it is now)',
      'GET  http://localhost:33000/blogs/1',
      'GET  http://localhost:33000/api/users.php  (three sample users)',
    ])
    expect(section(bannerOf(), 'With a token').slice(0, -1)).toEqual(
      ['blogs', 'users', 'posts', 'comments', 'tags', 'profile'].map(
        (name) => `http://localhost:33000/${name}`,
      ),
    )
    const notes = bannerOf([], { $schema: './schema.json', notes: [] })
    expect(section(notes, 'With a token').slice(0, -1)).toEqual(['http://localhost:33000/notes'])
    expect(bannerOf(['--live'])).toContain('with a token too; as it is now)\n')
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
  ])('names no public read where there is none: %j %j', (args, data) => {
    expect(section(bannerOf(args, data), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/api/users.php  (three sample users)',
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
    expect(text).toContain('\nRewrite rules from rules.json.\nMiddlewares from a.js, b.js.\n')
    const sample = path.join(__dirname, '../../../routes.json')
    expect(bannerOf(['-r', sample])).toContain(`${sample}, a sample of this project.\n`)
  })

  it('says that a token outlasts a restart when there is a secret', () => {
    expect(bannerOf([], sampleData(), { JWT_SECRET: 'x'.repeat(32) })).toContain(
      'A token lasts 1 hour, also after a restart.\n',
    )
  })

  it('says where the page is with --docs, and that there is one without it', () => {
    expect(bannerOf()).toContain('\nWith --docs, a page shows the API and lets you try it in a browser.\n')
    expect(bannerOf(['--docs'])).toContain(
      '\nRead and try the API in a browser: http://localhost:33000/docs\n',
    )
  })

  it('lists as resources none of those whose paths --docs takes', () => {
    const data = { docs: [], 'openapi.json': [], posts: [] }
    const listed = (...args: string[]) =>
      section(bannerOf(['--allow', 'all', ...args], data), 'Everything is open')
    const [docs, document, posts] = Object.keys(data).map((name) => `http://localhost:33000/${name}`)
    expect(listed()).toEqual([docs, document, posts])
    expect(listed('--docs')).toEqual([posts])
  })

  it('says what --sandboxes and --faults do, where they are given', async () => {
    await writeFile('faults.json', '[]')
    const [both, neither] = [bannerOf(['--sandboxes', '--faults', 'faults.json']), bannerOf()]
    for (const sentence of [
      'Each value of the header X-Sandbox names a separate copy of the data.',
      'Requests fail by the rules in faults.json.',
    ]) {
      expect(both).toContain(`\n${sentence}\n`)
      expect(neither).not.toContain(sentence)
    }
  })

  it('proposes no login when nobody can log in', () => {
    const hashed = { email: 'ada@example.com', password: `$2b$10$${'x'.repeat(53)}` }
    for (const users of [undefined, [], [{ name: 'Ada', password: 1 }], {}, [hashed]]) {
      expect(bannerOf([], { users })).not.toContain('fetch')
      expect(bannerOf([], { users })).not.toMatch(/log in/i)
    }
    const users = [hashed, { email: 'bob@example.com', password: '$2b$' }]
    expect(bannerOf([], { users })).toContain('Log in as bob@example.com (')
  })

  describe.each(['sh', 'bash'])('pasted into %s', (shell) => {
    it.each([['db.json'], ['my data.json'], ['a$HOME`b` "c" 100% \'d\'.json']])(
      'a line logs in as the first user of %s who can, with the password that the file has',
      async (name) => {
        const data = sampleData()
        const users = [{ id: 0, name: 'Nobody' }, ...(Array.isArray(data.users) ? data.users : [])]
        await mkdir('a folder')
        const source = path.join('a folder', name)
        await writeFile(source, JSON.stringify({ ...data, users }))
        const text = bannerOf([source], { ...data, users })
        expect(text).toContain('Log in as ada@example.com (paste this line)\n')
        expect(text).not.toContain('lovelace')
        expect(await paste(text, shell)).toMatchObject({
          url: 'http://localhost:33000/auth/login',
          method: 'POST',
          form: { email: 'ada@example.com', password: 'lovelace' },
        })
      },
    )

    it('a line logs in as the user of the sample data, wherever that is', async () => {
      const users = [{ email: 'mia@example.com', password: 'sourdough' }]
      for (const args of [['db.json'], ['data.js']]) {
        const text = bannerOf(args, { users })
        expect(text).toContain('Log in as mia@example.com (paste this line)\n')
        expect(await paste(text, shell)).toMatchObject({ form: users[0] })
      }
    })

    it.each<[string[], Data]>([
      [['--user', "o'hara$HOME:pass word"], {}],
      [['data.js'], { users: [{ email: "o'hara$HOME", password: 'pass word' }] }],
      [['http://x/db.json'], { users: [{ email: "o'hara$HOME", password: 'pass word' }] }],
    ])('a line takes the password where no file has it: %j', async (args, data) => {
      const text = bannerOf(args, data)
      expect(text).toContain(
        "Log in as o'hara$HOME (paste this line, with the password in place of PASSWORD)\n",
      )
      expect(text).not.toContain('pass word')
      expect(await paste(text.replace(' PASSWORD\n', " 'pass word'\n"), shell)).toMatchObject({
        form: { email: "o'hara$HOME", password: 'pass word' },
      })
    })
  })

  it('prints a line without what cmd or PowerShell would change between double quotes', async () => {
    await mkdir('%PATH%')
    for (const [args, data] of [
      [['--user', 'a"b$c`d%e^f!:x'], {}],
      [[path.join('%PATH%', 'a$b.json')], sampleData()],
    ] satisfies [string[], Data][]) {
      const [, code = ''] = /^ {2}node -e "(.*)"(?: PASSWORD)?$/m.exec(bannerOf(args, data)) ?? []
      expect(code).toContain('fetch(')
      expect(code).not.toMatch(/["$`%^!]/)
    }
  })

  it('takes a certificate that Node does not know', async () => {
    await writeFile('cert.pem', '')
    const text = bannerOf(['--cert', 'cert.pem', '--key', 'cert.pem', '--user', 'me:x'])
    expect(await paste(text, 'sh')).toMatchObject({
      url: 'https://localhost:33000/auth/login',
      trustsAll: true,
    })
  })
})

/** Runs the line as a shell does, and gives what would be fetched. */
async function paste(text: string, shell: string): Promise<unknown> {
  const line = text.split('\n').find((candidate) => candidate.includes('node -e')) ?? ''
  await writeFile(
    'fetch.cjs',
    `globalThis.fetch = async (url, { method, body }) => {
      const trustsAll = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      const found = { url, method, form: Object.fromEntries(body), trustsAll }
      return { text: async () => JSON.stringify(found) }
    }`,
  )
  const env = { ...process.env, NODE_OPTIONS: `--require ${path.resolve('fetch.cjs')}` }
  const { stdout } = await promisify(execFile)(shell, ['-c', line], { env })
  return JSON.parse(stdout)
}
