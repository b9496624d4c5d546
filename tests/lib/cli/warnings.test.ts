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
  expect(warningsOf([], data)).toEqual([expect.stringContaining('--user')])
  expect(warningsOf(['--allow', 'GET /users'], data)).toHaveLength(1)
  expect(warningsOf(['--user', 'me:secret'], data)).toEqual([])
  expect(warningsOf(['--allow', 'POST /users'], data)).toEqual([])
  expect(warningsOf(['--allow', 'GET /posts', '--allow', 'POST /login'], data)).toEqual([])
})

it('says that passwords are hashed, where that is why nobody can log in', () => {
  const users = [{ id: 1, email: 'ada@example.com', password: `$2a$10$${'x'.repeat(53)}` }]
  expect(warningsOf([], { users })).toEqual([expect.stringMatching(/hashed.* --login /)])
  expect(warningsOf(['--login', '/login'], { users })).toEqual([])
  expect(warningsOf([], { users: [...users, { id: 2, email: 'bob@example.com', password: 'x' }] })).toEqual(
    [],
  )
})

it.each([
  [{ users: [{ username: 'ada', password: 'x' }] }, /"username".*"email"/],
  [{ users: [{ email: 'ada@example.com', password: 1234 }] }, /strings/],
  [{ user: [{ email: 'ada@example.com', password: 'x' }] }, /"user".*"users"/],
  [{ users: [{ name: 'Ada' }] }, /no users/],
])('says why nobody can log in with %j', (data, reason) => {
  expect(warningsOf([], data)[0]).toMatch(reason)
})

it.each([
  [31, [expect.stringContaining('JWT_SECRET')]],
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
      expect.stringMatching(/json-server-auth.* --login .* --sign-up/),
    ])
  expect(warningsOf(['--middlewares', file, '--allow', 'all'], sampleData())).toEqual([])
})

it.each([
  [['--static', 'missing'], 'missing'],
  [['--public', 'news'], '"news"'],
  [['--public', 'users'], '"users"'],
])('warns of %j: %s', (args, word) => {
  expect(warningsOf(args, sampleData())).toEqual([expect.stringContaining(word)])
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
    expect(warningsOf(['--allow', rule], sampleData())).toEqual([expect.stringContaining('"users"')])
  })

  it.each(['GET /blogs', 'GET /blogs/:id', 'GET /blog/:id'])(
    'says that the server itself responds to %s',
    (rule) => {
      expect(warningsOf(['--allow', rule], sampleData())).toEqual([expect.stringContaining('--no-public')])
      expect(warningsOf(['--allow', rule, '--no-public'], sampleData())).toEqual([])
    },
  )

  it('takes several rules', () => {
    expect(warningsOf(['--allow', 'GET /posts', '--allow', 'GET /users'], sampleData())).toHaveLength(1)
  })
})
