import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { LoginIf } from '../../../lib/accounts/login-if'
import { readCommandLine, type Settings } from '../../../lib/cli/flags/command-line'
import { startText } from '../../../lib/cli/start-text'
import { warnings } from '../../../lib/cli/warnings'
import type { Data } from '../../../lib/data/valid-data'
import { sampleData, tempFolders } from '../../support/data'
import { startedFor } from './started'

const newFolder = tempFolders()

function warningsOf(args: readonly string[], data: Data, env: NodeJS.ProcessEnv = {}): string[] {
  const settings = readCommandLine(args, env, () => {})
  return warnings(startedFor(settings, data))
}

it('says that nobody can log in, unless --user or a POST that --allow opens may let somebody', () => {
  const data = { users: [], blogs: [] }
  expect(warningsOf([], data)).toEqual([expect.stringContaining('--user')])
  expect(warningsOf(['--allow', 'GET /users'], data)).toHaveLength(1)
  expect(warningsOf(['--user', 'me:secret'], data)).toEqual([])
  expect(warningsOf(['--allow', 'POST /users'], data)).toEqual([])
  const ofMiddleware = ['--allow', 'GET /blogs/:id', '--allow', 'POST /login']
  expect(warningsOf([...ofMiddleware, '-m', __filename], data).join()).not.toContain('log in')
  for (const args of [ofMiddleware, ['--allow', 'POST /blogs']])
    expect(warningsOf(args, data).join()).toContain('Nobody can log in')
})

it.each<Data>([
  { users: [{ email: 'ada@example.com', password: `$2a$10$${'x'.repeat(53)}` }] },
  { users: [{ username: 'ada', password: 'x' }] },
  { users: [{ email: 'ada@example.com', password: 1234 }] },
])('says that --login helps with %j', (data) => {
  expect(warningsOf([], data)[0]).toContain('--login')
  expect(warningsOf(['--login', '/login'], data).join()).not.toContain('log in')
})

it('says that --login helps nobody where there are no users', () => {
  for (const data of [{ posts: [] }, { users: [], posts: [] }])
    for (const args of [[], ['--login', '/login']]) {
      const [warning] = warningsOf(args, data)
      expect(warning).toContain('log in')
      expect(warning).not.toContain('--login')
    }
  expect(warningsOf(['--login', '/login', '--sign-up', '/register'], { users: [] })).toEqual([])
})

it.each<[string[], Record<string, unknown>]>([
  [['--login', '/login', '--sign-up', '/register'], { posts: [] }],
  [['--login', '/login', '--sign-up', '/register'], { users: { mia: {} } }],
])('says that %j need a list of people', (args, data) => {
  expect(warningsOf(args, data)).toEqual([expect.stringContaining('"users": []')])
})

it('says that nobody signs up where nothing can be changed', () => {
  const args = ['--read-only', '--login', '/login', '--sign-up', '/register']
  expect(warningsOf(args, sampleData())).toEqual([expect.stringContaining('--sign-up')])
  expect(warningsOf(args, { users: [] })).toEqual([
    expect.stringContaining('log in'),
    expect.stringContaining('--sign-up'),
  ])
})

it.each([
  [['--login', '/posts'], /POST .*--login.*"posts"/],
  [['--me', '/Profile/'], /GET .*--me.*"profile"/],
  [['--login', '/login', '--logout', 'DELETE /profile'], /DELETE .*--logout.*"profile"/],
])('says that %j leaves a resource without a request', (args, sentence) => {
  expect(warningsOf(args, sampleData())).toEqual([expect.stringMatching(sentence)])
})

it('says that a static file hides who has logged in', async () => {
  const folder = await newFolder()
  const own = ['--static', folder, '--login', '/login', '--me', '/me']
  await mkdir(path.join(folder, 'me'))
  await mkdir(path.join(folder, 'login'))
  await writeFile(path.join(folder, 'login/index.html'), 'The page that logs in')
  await writeFile(path.join(folder, 'auth'), '')
  expect(warningsOf(own, sampleData())).toEqual([])
  await writeFile(path.join(folder, 'me/index.html'), 'The page of a profile')
  expect(warningsOf(own, sampleData())).toEqual([expect.stringMatching(/^GET \/me .*--me/)])
  expect(warningsOf(['--static', folder, '--me', 'PATCH /me'], sampleData())).toEqual([])
  await rm(path.join(folder, 'auth'))
  await mkdir(path.join(folder, 'auth'))
  await writeFile(path.join(folder, 'auth/me'), '{}')
  expect(warningsOf(['--static', folder], sampleData())).toEqual([expect.stringMatching(/^GET \/auth\/me /)])
  expect(warningsOf(['--static', folder], { ...sampleData(), auth: [] })).toEqual([])
})

it('says nothing of the path of an account that is not that of a resource', () => {
  const args = ['--login', '/posts/login', '--me', '/me']
  expect(warningsOf(args, sampleData())).toEqual([])
})

it('says nothing of a sign-up at the path of the users, which adds one of them', () => {
  expect(warningsOf(['--login', '/login', '--sign-up', '/users'], sampleData())).toEqual([])
})

it('warns of data in which there is nothing', () => {
  expect(warningsOf(['--user', 'me:secret'], {})).toEqual([expect.stringContaining('collection')])
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
  [['--static', 'package.json'], 'package.json'],
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
    'GET /blogs/1/comments',
  ])('says nothing of %s', (rule) => expect(warningsOf(['--allow', rule], sampleData())).toEqual([]))

  it.each(['GET /users', 'GET /users/:id', 'GET /db'])('says that %s gives passwords', (rule) => {
    expect(warningsOf(['--allow', rule], sampleData())).toEqual([expect.stringContaining('"users"')])
  })

  it.each<[string, Data]>([
    ['GET /members', { members: [{ id: 1, username: 'ada', password: 'lovelace' }] }],
    ['GET /members/:id', { members: [{ id: 1, name: 'bo' }, { id: 2, pwd: 'lovelace' }, 'text'] }],
    ['GET /account', { account: { email: 'ada@example.com', motDePasse: 'lovelace' } }],
  ])('says that %s gives the passwords of whoever logs in by other names: %j', (rule, data) => {
    expect(warningsOf(['--user', 'me:x', '--allow', rule], data)[0]).toContain('passwords')
  })

  it('says nothing of a field with another meaning, or without a text', () => {
    const posts = [{ id: 1, pin: true, pass: 1, password: '', compass: 'north' }]
    expect(warningsOf(['--user', 'me:x', '--allow', 'GET /posts'], { posts })).toEqual([])
  })

  it.each(['GET /blogs', 'GET /blogs/:id', 'GET /blog/:id'])(
    'says that the server itself responds to %s',
    (rule) => {
      expect(warningsOf(['--allow', rule], sampleData())).toEqual([expect.stringContaining('--no-public')])
      expect(warningsOf(['--allow', rule, '--no-public'], sampleData()).join()).not.toContain(
        'changes nothing',
      )
    },
  )

  it.each([
    ['POST /login', ['--login', '/login']],
    ['GET /docs', ['--docs']],
    ['GET /api/users.php', []],
  ])('says nothing of a public collection where another service has %s', (rule, args) => {
    expect(warningsOf(['--allow', rule, ...args], sampleData())).toEqual([
      expect.stringMatching(/changes nothing.* responds there\.$/),
    ])
  })

  it.each([
    ['GET /taks', /"taks".*\/tasks\?/],
    ['POST /taks/:id', /"taks".*\/tasks\?/],
    ['GET /nothing/1/at/all', /"nothing": check/],
  ])('says that %s opens nothing, and what is near', async (rule, sentence) => {
    const data = { users: sampleData().users, tasks: [] }
    expect(warningsOf(['--allow', rule], data)).toEqual([expect.stringMatching(sentence)])
    const file = path.join(await newFolder(), 'a.js')
    await writeFile(file, '')
    // There, the middleware may respond.
    expect(warningsOf(['--allow', rule, '-m', file], data)).toEqual([expect.stringContaining('req.auth')])
  })

  it.each(['GET /TASKS', 'GET /tasks/1/x', 'GET /db', 'POST /auth/login'])(
    'says nothing of the name in %s',
    (rule) => {
      expect(warningsOf(['--allow', rule], { ...sampleData(), tasks: [] }).join()).not.toContain(
        'opens nothing',
      )
    },
  )

  it('takes several rules', () => {
    expect(warningsOf(['--allow', 'GET /posts', '--allow', 'GET /users'], sampleData())).toHaveLength(1)
  })
})

it('says what a middleware must mind where requests need no token', async () => {
  const file = path.join(await newFolder(), 'a.js')
  await writeFile(file, '')
  for (const args of [
    ['--allow', 'GET /posts'],
    ['--sign-up', '/join'],
  ])
    expect(warningsOf(['-m', file, ...args], sampleData())).toEqual([expect.stringContaining('req.auth')])
  for (const args of [
    ['-m', file],
    ['--allow', 'GET /posts'],
    ['-m', file, '--allow', 'all'],
  ])
    expect(warningsOf(args, sampleData())).toEqual([])
})

it('says five things at most, first what opens data, and how many are left', () => {
  const names = Array.from({ length: 9 }, (_, index) => `no address ${index}\ud800`)
  const data = { ...sampleData(), ...Object.fromEntries(names.map((name) => [name, []])) }
  const said = warningsOf(['--static', 'missing', '--public', 'users'], data)
  expect(said).toHaveLength(6)
  expect(said[0]).toContain('passwords')
  expect(said[5]).toContain(' 6 ')
  expect(warningsOf(['--public', 'users'], sampleData())).toHaveLength(1)
})

describe('of the data', () => {
  const said = (data: Data, ...args: string[]) => warningsOf(['--user', 'me:x', ...args], data)

  it('says nothing of ordinary data', () => {
    const posts = [{ id: 1 }, { id: '2' }, null]
    expect(said({ $schema: './schema.json', posts, words: ['tea'], profile: {} })).toEqual([])
  })

  it.each(['.', '..', 'a\ud800'])('says that no address leads to %j', (name) => {
    expect(said({ [name]: [] })).toEqual([expect.stringContaining(`"${name}"`)])
  })

  it.each(['my posts', 'pösts', 'a#b', '50%', 'faq?'])(
    'says nothing of the name %s, which is found',
    (name) => {
      expect(said({ [name]: [] })).toEqual([])
    },
  )

  it.each([
    [1, 1],
    [1, '1'],
  ])('says that records share an id: %j and %j', (...ids) => {
    const posts = ids.map((id) => ({ key: id }))
    expect(said({ posts }, '--id', 'key')).toEqual([expect.stringMatching(/"posts".* key /)])
    expect(said({ posts })).toEqual([expect.stringContaining('2 of 2')])
  })

  it('says of records without an id that no address leads to them, and nothing where none leads to the collection', () => {
    expect(said({ posts: [{ title: 'a' }, { title: 'b' }] })).toEqual([
      expect.stringMatching(/"posts".*2 of 2.*no address/),
    ])
    expect(said({ '..': [{ title: 'a' }] })).toEqual([expect.stringContaining('another name')])
  })

  it.each([2 ** 53, -(2 ** 60), 1e300])('says that the id %d is not exact', (id) => {
    expect(said({ posts: [{ id: 1 }, { id }] })).toEqual([expect.stringMatching(/"posts".*not exact/)])
    expect(said({ posts: [{ id: 1 }, { id: String(id) }] })).toEqual([])
  })

  it.each([{ title: 'none' }, { id: '' }, { _id: 'a' }])('says that no address leads to %j', (record) => {
    expect(said({ posts: [{ id: 1 }, record] })).toEqual([expect.stringMatching(/"posts".*1 of 2.*--id/)])
  })
})

describe('with --allow beside rewrite rules, faults and logins of the application', () => {
  const data = { users: [{ id: 1, email: 'a@x.org', password: 'p' }], todos: [] }
  const PREFIX = { '/api/*': '/$1' }
  const of = (args: string[], more: Parameters<typeof startedFor>[2] = {}) =>
    startedFor(
      readCommandLine(args, {}, () => {}),
      data,
      more,
    )
  const withoutToken = (started: ReturnType<typeof startedFor>) =>
    startText(started, { port: 33000, style: (_format, text) => text }).match(/Without: +(.*)$/m)?.[1]

  it('says nothing of a path that a rule leads to a resource', () => {
    expect(warnings(of(['--allow', 'GET /api/todos'], { rules: PREFIX }))).toEqual([])
    expect(withoutToken(of(['--allow', 'GET /api/todos'], { rules: PREFIX }))).toMatch(/, GET \/api\/todos$/)
  })

  it('names what a path leads to where nothing is there, and lists only what opens something', () => {
    const started = of(['--allow', 'GET /api/nope', '--allow', 'GET /api/todos'], { rules: PREFIX })
    expect(warnings(started)).toEqual([expect.stringMatching(/GET \/api\/nope.*"nope"/)])
    expect(withoutToken(started)).not.toContain('nope')
  })

  it('lists nothing that only its owner reads', () => {
    const args = ['--private', 'todos', '--allow', 'GET /api/todos', '--allow', 'GET /todos/:id']
    expect(withoutToken(of(args, { rules: PREFIX }))).not.toContain('todos')
    expect(
      warnings(of(args, { rules: PREFIX })).filter((line) => line.includes('opens nothing')),
    ).toHaveLength(2)
  })

  it.each<[from: string, methods: string, args?: string[]]>([
    ['/auth/login', 'POST'],
    ['POST /auth/login', 'POST'],
    ['/session', 'POST or DELETE', ['--login', '/session', '--logout', 'DELETE /session']],
    ['/api/users.php', 'GET or POST or PUT or PATCH or DELETE'],
    ['/openapi.json', 'GET', ['--docs']],
  ])('says that the rule "%s" leads no %s away', (from, methods, args = []) => {
    expect(warnings(of(args, { rules: { [from]: '/users' } }))).toEqual([
      expect.stringContaining(`"${from}" leads no ${methods} away`),
    ])
  })

  it.each(['/auth/me', 'GET /auth/login', '/session/*', '/blogs'])(
    'says nothing of the rule "%s", which leads somewhere',
    (from) => {
      const started = of(['--login', '/session'], { rules: { [from]: '/users' } })
      expect(warnings(started)).toEqual([])
    },
  )

  it('warns of passwords where a rule leads', () => {
    expect(warnings(of(['--allow', 'GET /api/users'], { rules: PREFIX }))).toEqual([
      expect.stringMatching(/passwords in "users"/),
    ])
    expect(warnings(of(['--allow', 'GET /all'], { rules: { '/all': '/db' } }))).toEqual([
      expect.stringMatching(/passwords in "users"/),
    ])
  })

  it('takes a path that a rule of --faults answers for one that is there', () => {
    const args = ['--allow', 'GET /weather']
    expect(warnings(of(args, { faults: [{ path: '/weather', status: 200 }] }))).toEqual([])
    for (const rule of [
      { path: '/weather', status: 500 },
      { path: '/weather', method: 'PUT', status: 200 },
    ])
      expect(warnings(of(args, { faults: [rule] }))).toHaveLength(1)
  })

  it('says nothing of a login, a refresh and a logout to which a middleware may respond, and lists them once', async () => {
    const folder = await newFolder()
    const file = path.join(folder, 'm.js')
    await writeFile(file, 'module.exports = () => {}')
    const paths = ['--login', '/in', '--refresh', '/again', '--logout', '/out']
    const allow = ['POST /in', 'POST /again', 'POST /out', 'POST /auth/login'].flatMap((rule) => [
      '--allow',
      rule,
    ])
    const started = of([...paths, ...allow, '-m', file])
    expect(warnings(started).join()).not.toContain('changes nothing')
    for (const line of ['POST /in', 'POST /again', 'POST /out', 'POST /auth/login'])
      expect(withoutToken(started)?.split(line)).toHaveLength(2)
    expect(warnings(of([...paths, ...allow])).join()).toMatch(/"POST \/in" changes nothing/)
  })
})

it('shows a field that a stranger has written in one line, without commands for a terminal', () => {
  const [sentence = ''] = warningsOf(['--login', '/in'], { users: [{ id: 1, 'a\u001b[2J\nb': 'x' }] })
  expect(sentence).toContain('"a [2J b"')
})

it('names nobody who may not log in, and says where nobody may', () => {
  const users = [
    { id: 1, email: 'a@x.org', password: 'p', active: false },
    { id: 2, email: 'b@x.org', password: 'p', active: true },
  ]
  const settings = readCommandLine([], {}, () => {})
  const startWith = (loginIf: LoginIf) => startedFor({ ...settings, loginIf }, { users })
  const style = (_format: string, text: string) => text
  expect(startText(startWith({ active: true }), { port: 33000, style })).toContain('Log in as b@x.org')
  expect(warnings(startWith({ active: true }))).toEqual([])
  expect(warnings(startWith({ Active: true }))).toEqual([
    expect.stringMatching(/"users" may log in.*login-if/),
  ])
})

it.each<[Partial<Settings>, string[]]>([
  [{ loginResponse: { data: { nick: '$user.nmae' } } }, ['login-response.*nmae.*name\\?']],
  [{ loginResponse: ['$token for $user.nmae'] }, ['login-response.*nmae']],
  [{ loginHeaders: { 'X-Role': '$user.profile.rol' } }, ['login-headers.*profile.rol.*profile.role\\?']],
  [{ meResponse: '$user.profil' }, ['me-response.*profil.*profile\\?']],
  [{ tokenClaims: { uid: '$user.uuid' } }, ['token-claims.*uuid.*check']],
  [{ loginResponse: { key: '$user.password' } }, ['login-response.*password.*no response']],
  [{ loginFields: { names: ['e-mail', 'nmae'], password: 'cod' } }, ['nmae.*name\\?', 'cod.*code\\?']],
  [{ loginFields: { names: ['profile.nick'], password: 'code' } }, ['profile.nick.*check']],
  [{ loginResponse: { '...': '$user', a: '$user.profile.role', b: '$user.name, $user.id', c: 1 } }, []],
  [{ meResponse: { user: '$user', token: '$token' }, loginFields: { names: ['profile.role'] } }, []],
])('says of %j which fields no user has', (keys, words) => {
  const profile = { role: 'admin' }
  const users = [
    { id: 1, email: 'a@x.org', password: 'p', code: 'c', profile },
    { id: 2, email: 'b@x.org', password: 'p', name: 'Ben' },
  ]
  const settings = { ...readCommandLine(['--login', '/login'], {}, () => {}), ...keys }
  expect(warnings(startedFor(settings, { users }))).toEqual(
    words.map((word) => expect.stringMatching(new RegExp(word))),
  )
  // They may come by a sign-up.
  expect(warnings(startedFor(settings, { users: [] })).join()).not.toContain('The key')
})

it.each<[schema: object, words: readonly string[]]>([
  [{ unique: ['emial'] }, ['emial.*email']],
  [{ unique: [['email', 'citty'], 'zzz'] }, ['citty.*city', 'zzz.*check']],
  // A record, the schema or the server itself has these.
  [{ unique: ['email', 'id', 'createdAt', ['city', 'street']], properties: { street: {} } }, []],
  [{ allOf: [{ properties: { phone: {} } }], unique: ['phone'] }, []],
])('says of the schema %j which fields of "unique" are nowhere', (schema, words) => {
  const settings = readCommandLine(['--user', 'me:secret', '--time-stamps', 'createdAt'], {}, () => {})
  const said = (posts: unknown[]) =>
    warnings({ ...startedFor(settings, { posts }), schemas: { posts: schema } })
  const posts = [
    { id: 1, city: 'Bonn' },
    { id: 2, email: 'a' },
  ]
  expect(said(posts)).toEqual(words.map((word) => expect.stringMatching(new RegExp(`^"unique".*${word}`))))
  // The first record may bring any field.
  expect(said([])).toEqual([])
})

describe("of records that are somebody's", () => {
  const users = [{ id: 1, email: 'ann@example.com', password: 'pear-tree' }]
  const own = (field: string) => [{ id: 1, [field]: 1 }, { id: 2, [field]: 1 }, { id: 3 }]

  it('says how many nobody owns, and which field is probably meant', () => {
    const args = ['--private', 'todos']
    expect(warningsOf(args, { users, todos: own('userId') })).toEqual([
      expect.stringMatching(/1 of 3.*userId/),
    ])
    expect(warningsOf(args, { users, todos: own('ownerId') })).toEqual([
      expect.stringMatching(/3 of 3.*--private todos\.ownerId/),
    ])
    expect(warningsOf(['--owned', 'todos.author'], { users, todos: own('author').slice(0, 2) })).toEqual([])
  })

  it.each([
    ['GET /todos', 1],
    ['GET /todos/:id', 1],
    ['POST /posts', 1],
    ['GET /posts', 0],
    ['POST /users', 0],
    ['GET /users', 0],
  ])('says whether --allow "%s" opens anything now', (allowed, count) => {
    const args = ['--private', 'todos', '--owned', 'posts', '--allow', allowed]
    const said = warningsOf(args, { users, todos: [], posts: [] }).filter((line) =>
      line.includes('opens nothing'),
    )
    expect(said).toHaveLength(count)
  })

  it('says what a DELETE of somebody else takes with it', () => {
    const data = { users, posts: [], todos: [{ id: 1, userId: 1, postId: 1 }] }
    expect(warningsOf(['--private', 'todos'], data)).toEqual([expect.stringContaining('--no-cascade')])
    expect(warningsOf(['--private', 'todos', '--no-cascade'], data)).toEqual([])
    expect(warningsOf(['--private', 'todos', '--owned', 'posts'], data)).toEqual([])
  })

  it('says what sandboxes open', () => {
    const data = { users, todos: [] }
    expect(warningsOf(['--private', 'todos', '--sandboxes'], data)).toEqual([
      expect.stringContaining('--sandboxes'),
    ])
  })
})
