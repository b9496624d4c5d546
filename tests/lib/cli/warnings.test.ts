import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readCommandLine } from '../../../lib/cli/flags/command-line'
import { warnings } from '../../../lib/cli/warnings'
import type { Data } from '../../../lib/data/valid-data'
import { sampleData, tempFolders } from '../../support/data'
import { servicesFor } from './services'

const newFolder = tempFolders()

function warningsOf(args: readonly string[], data: Data, env: NodeJS.ProcessEnv = {}): string[] {
  const settings = readCommandLine(args, env, () => {})
  if (settings === undefined) throw new Error('No settings.')
  return warnings(settings, data, servicesFor(settings, data))
}

it('says that nobody can log in, unless --user or a POST that --allow opens may let somebody', () => {
  const data = { users: [], blogs: [] }
  expect(warningsOf([], data)).toEqual([expect.stringMatching(/^Nobody can log in: .+ Start with --user/)])
  expect(warningsOf(['--allow', 'GET /users'], data)).toHaveLength(1)
  expect(warningsOf(['--user', 'me:secret'], data)).toEqual([])
  expect(warningsOf(['--allow', 'POST /users'], data)).toEqual([])
  expect(warningsOf(['--allow', 'GET /posts', '--allow', 'POST /login'], data)).toEqual([])
})

it('says that passwords are hashed, where that is why nobody can log in', () => {
  const users = [{ email: 'ada@example.com', password: `$2a$10$${'x'.repeat(53)}` }]
  expect(warningsOf([], { users })).toEqual([
    expect.stringMatching(/^Nobody can log in: .*hashed.* --login /),
  ])
  expect(warningsOf(['--login', '/login'], { users })).toEqual([])
  expect(warningsOf([], { users: [...users, { email: 'bob@example.com', password: 'x' }] })).toEqual([])
})

it.each([
  [
    { users: [{ username: 'ada', password: 'x' }] },
    'the users in db.json have a "username" in place of an "email"',
  ],
  [
    { users: [{ email: 'ada@example.com', password: 1234 }] },
    'the passwords in db.json must be strings, in quotes.',
  ],
  [
    { user: [{ email: 'ada@example.com', password: 'x' }] },
    'the users in db.json are in "user", and must be in',
  ],
  [{ users: [{ name: 'Ada' }] }, 'db.json has no users with an email and a plain password.'],
])('says why nobody can log in with %j', (data, reason) => {
  expect(warningsOf([], data)[0]).toContain(`Nobody can log in: ${reason}`)
})

it.each([
  [31, [expect.stringMatching(/^JWT_SECRET is shorter than 32 bytes/)]],
  [32, []],
])('a JWT_SECRET of %i bytes', (length, expected) => {
  expect(warningsOf([], sampleData(), { JWT_SECRET: 'x'.repeat(length) })).toEqual(expected)
})

it('names the flags for json-server-auth, which gives no login here', async () => {
  const file = path.join(await newFolder(), 'node_modules/json-server-auth/index.js')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, '')
  for (const name of [file, path.dirname(file)])
    expect(warningsOf(['--middlewares', name], sampleData())).toEqual([
      expect.stringMatching(/^json-server-auth gives no login here.* --login \/login --sign-up/),
    ])
  expect(warningsOf(['--middlewares', file, '--allow', 'all'], sampleData())).toEqual([])
})

it.each([
  [
    ['--static', 'missing'],
    'The static folder missing does not exist, so no files are served: check --static.',
  ],
  [['--public', 'news'], 'db.json has no collection "news" that could be public: check --public.'],
  [
    ['--public', 'users'],
    'Anybody can read the passwords in "users": check --public and --allow. A middleware that leaves them out ' +
      'is not enough, because they can be guessed by filters such as password_like.',
  ],
])('warns of %j', (args, sentence) => {
  expect(warningsOf(args, sampleData())).toEqual([sentence])
})

describe('with --allow', () => {
  it.each([
    'POST /users',
    'GET /posts',
    'GET /posts/:id',
    'DELETE /tags/:id',
    'PUT /profile',
    'POST /profile',
    'POST /nothing',
    'GET /blogs/1/comments',
  ])('says nothing of %s', (rule) => expect(warningsOf(['--allow', rule], sampleData())).toEqual([]))

  it.each(['GET /users', 'GET /users/:id', 'GET /db'])('says that %s gives passwords', (rule) => {
    expect(warningsOf(['--allow', rule], sampleData())).toEqual([
      'Anybody can read the passwords in "users": check --public and --allow. A middleware that leaves them ' +
        'out is not enough, because they can be guessed by filters such as password_like.',
    ])
  })

  it.each(['GET /blogs', 'GET /blogs/:id', 'GET /blog/:id'])(
    'says that the server itself responds to %s',
    (rule) => {
      expect(warningsOf(['--allow', rule], sampleData())).toEqual([
        `--allow "${rule}" changes nothing, because the server itself responds there: ` +
          "add --no-public for json-server's own list.",
      ])
      expect(warningsOf(['--allow', rule, '--no-public'], sampleData())).toEqual([])
    },
  )

  it('takes several rules', () => {
    expect(warningsOf(['--allow', 'GET /posts', '--allow', 'GET /users'], sampleData())).toHaveLength(1)
  })
})
