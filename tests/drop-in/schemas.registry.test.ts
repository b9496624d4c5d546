import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { newFolder, removeFolders } from '../support/data'
import { ask, json } from '../support/http'
import { killAll, Launched } from '../support/process'
import { fromNpm } from './from-npm'
import { TSC } from './installed-package'

const { folder: packages, testWith } = fromNpm('schemas', {
  '@hey-api/openapi-ts': '0.95',
  '@stoplight/prism-cli': '5',
  orval: '7',
  typescript: '5.9',
  zod: '4',
})

const SCHEMAS = {
  $defs: {
    address: {
      required: ['city'],
      additionalProperties: false,
      properties: { city: { type: 'string', minLength: 1 }, country: { type: 'string', default: 'FR' } },
    },
    line: {
      type: 'object',
      required: ['text', 'amount'],
      properties: {
        text: { type: 'string', maxLength: 20 },
        amount: { type: 'integer', minimum: 1, maximum: 99 },
      },
    },
    place: { required: ['city'], properties: { city: { type: 'string' }, open: { default: true } } },
  },
  users: {
    required: ['name', 'email', 'password'],
    properties: {
      name: { type: 'string', minLength: 1 },
      email: { type: 'string', format: 'email', unique: true, title: 'E-mail' },
      password: { type: 'string', minLength: 6 },
      role: { enum: ['user', 'admin'], default: 'user', readOnly: true },
      address: { $ref: '#/$defs/address' },
    },
  },
  posts: {
    required: ['id', 'title', 'state'],
    properties: {
      title: { type: 'string', minLength: 3, maxLength: 40, unique: true },
      state: { enum: ['draft', 'published'] },
      views: { type: 'integer', minimum: 0, default: 0 },
      price: { type: ['number', 'null'], exclusiveMinimum: 0, multipleOf: 0.5 },
      tags: { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, maxItems: 3 },
      lines: { type: 'array', items: { $ref: '#/$defs/line' } },
      author: { $ref: '#/$defs/users' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      key: { type: 'string', format: 'uuid' },
      site: { type: 'string', format: 'uri' },
      size: {
        type: 'object',
        required: ['width'],
        properties: { width: { type: 'number' }, unit: { const: 'cm' } },
      },
      isPublic: { type: 'boolean' },
      rank: { enum: [1, 2, 3] },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  },
  shops: {
    unique: [['city', 'number']],
    allOf: [{ $ref: '#/$defs/place' }, { required: ['number'], properties: { number: { type: 'integer' } } }],
    properties: { id: { type: 'string', format: 'uuid' } },
  },
  profile: { required: ['name'], properties: { name: { type: 'string', minLength: 2 } } },
}

const ANN = { id: 1, name: 'Ann', email: 'ann@bikes.test', password: 'pedals', role: 'admin' }
const DATA = {
  users: [ANN],
  posts: [{ id: 1, title: 'First', state: 'draft', views: 1 }],
  shops: [],
  profile: { name: 'Ann' },
}

/** What is sent, whether it fits, and which clients do not know the keyword by which it does not. */
type Sent = readonly [body: unknown, fits: boolean, ...missedBy: ('hey-api' | 'orval')[]]

/** Bodies of a POST, by field, whose other fields fit. */
const FIELDS: Readonly<Record<string, readonly Sent[]>> = {
  title: [
    ['Te', false],
    [5, false],
    [null, false],
    ['x'.repeat(41), false],
    ['x'.repeat(40), true],
  ],
  state: [
    ['published', true],
    ['gone', false],
    [null, false],
  ],
  views: [
    [0, true],
    [-1, false],
    ['1', false],
    [null, false],
    [1.5, false, 'orval'],
  ],
  price: [
    [2.5, true],
    [null, true],
    ['1', false],
    [0, false, 'orval'],
    [0.3, false, 'hey-api'],
  ],
  tags: [
    [[], true],
    [['a', 'b', 'c'], true],
    [['a', 'b', 'c', 'd'], false],
    [[1], false],
    [[''], false],
    ['a', false],
    [['a', 'a'], false, 'hey-api', 'orval'],
  ],
  lines: [
    [[{ text: 'a', amount: 1, more: 1 }], true],
    [[{ text: 'a' }], false],
    [[{ text: 'a', amount: 0 }], false],
    [[{ text: 'a', amount: 100 }], false],
    [[{ text: 'x'.repeat(21), amount: 1 }], false],
    [[1], false],
  ],
  author: [
    [{ name: 'a', email: 'a@b.test', password: '123456' }, true],
    [{}, false],
    [{ name: 'a', email: 'a', password: '123456' }, false],
    [{ name: 'a', email: 'a@b.test', password: '123456', address: {} }, false],
  ],
  code: [
    ['AB-1', true],
    ['ab-1', false],
    ['AB-', false],
  ],
  day: [
    ['2026-01-31', true],
    ['2026-02-31', false],
    ['today', false],
  ],
  at: [
    ['2026-01-31T09:30:00Z', true],
    ['2026-01-31', false],
  ],
  key: [
    ['3b241101-e2bb-4255-8caf-4136c566a962', true],
    ['x', false],
  ],
  site: [
    ['https://example.com', true],
    ['example', false],
  ],
  size: [
    [{ width: 1 }, true],
    [{ width: 1, unit: 'cm' }, true],
    [{}, false],
    [{ width: '1' }, false],
    [{ width: 1, unit: 'm' }, false, 'orval'],
  ],
  isPublic: [
    [true, true],
    ['true', false],
    [1, false],
    [null, false],
  ],
  rank: [
    [1, true],
    [4, false],
    ['1', false],
  ],
  either: [
    ['a', true],
    [1, true],
    [true, false],
    [null, false],
    [1.5, false, 'orval'],
  ],
  more: [[1, true]],
  id: [[77, true]],
  createdAt: [['2020-01-01T00:00:00Z', true]],
}

const USER = { name: 'Mia', email: 'mia@bikes.test', password: '123456' }

/** A request, what generated clients call it, and its body. */
type Row = readonly [line: string, operation: string, ...Sent]

const ROWS: readonly Row[] = [
  ...Object.entries(FIELDS).flatMap(([field, all]) =>
    all.map(([value, ...rest], index): Row => {
      const body = { title: `${field} ${index}`, state: 'draft', [field]: value }
      return ['POST /posts', 'createPost', body, ...rest]
    }),
  ),
  ['POST /posts', 'createPost', { state: 'draft' }, false],
  ['POST /posts', 'createPost', { title: 'Without a state' }, false],
  ['POST /users', 'createUser', { ...USER, role: 'admin' }, true],
  ['POST /users', 'createUser', { ...USER, name: '' }, false],
  ['POST /users', 'createUser', { ...USER, password: '12345' }, false],
  ['POST /users', 'createUser', { ...USER, email: 'a@b.test', address: { city: 'Nice' } }, true],
  ['POST /users', 'createUser', { ...USER, address: { city: 'a', zip: 1 } }, false, 'hey-api', 'orval'],
  ['POST /shops', 'createShop', { city: 'Nice', number: 1 }, true],
  ['POST /shops', 'createShop', { city: 'Nice' }, false],
  ['POST /shops', 'createShop', { number: 1 }, false],
  ['PATCH /posts/1', 'updatePost', { views: 5 }, true],
  ['PATCH /posts/1', 'updatePost', {}, true],
  ['PATCH /posts/1', 'updatePost', { title: 'x' }, false],
  ['PATCH /posts/1', 'updatePost', { state: 'gone' }, false],
  ['PUT /posts/1', 'replacePost', { title: 'Replaced', state: 'draft' }, true],
  ['PUT /posts/1', 'replacePost', { title: 'Replaced' }, false],
  ['PATCH /profile', 'updateProfile', {}, true],
  ['PATCH /profile', 'updateProfile', { name: 'B' }, false],
  ['PUT /profile', 'replaceProfile', { name: 'Bo' }, true],
  ['PUT /profile', 'replaceProfile', {}, false],
]

/** What is read, and what generated clients call it. */
const READ: readonly (readonly [target: string, operation: string])[] = [
  ['/posts', 'listPosts'],
  ['/posts/1', 'getPost'],
  ['/posts?state=draft&_sort=views&_page=1&views_gte=1', 'listPosts'],
  ['/posts?isPublic=true&rank=1', 'listPosts'],
  ['/users', 'listUsers'],
  ['/users/2', 'getUser'],
  ['/shops', 'listShops'],
  ['/profile', 'getProfile'],
]

/** Prints what the schemas of zod say of each body, and of each response that there is. */
const JUDGE = `import { readFileSync } from 'node:fs'
import * as hey from './out/hey/zod.gen.js'
import * as orval from './out/orval/zod.js'
const fits = (schema, value) => schema?.safeParse(value).success
const ofHey = (name, end) => hey['z' + name[0].toUpperCase() + name.slice(1) + end]
const said = JSON.parse(readFileSync('sent.json', 'utf8')).map(({ operation, body, response }) => ({
  body: body && { 'hey-api': fits(ofHey(operation, 'Body'), body), orval: fits(orval[operation + 'Body'], body) },
  response: response && [ofHey(operation, 'Response'), orval[operation + 'Response']].map((one) => fits(one, response)),
}))
console.log(JSON.stringify(said))
`

/** What a client says of a body and of a response, if there are any. */
interface Said {
  readonly body?: Readonly<Record<string, boolean>>
  readonly response?: readonly (boolean | undefined)[]
}

/** A program of the types and functions that are generated. */
const PROGRAM = `import { type CreatePostData, createPost, createUser, updatePost } from './hey/index.js'
import type { CreateUserData } from './hey/index.js'
import { createPost as add, type PostInput } from './orval/client.js'
declare const process: { argv: string[] }
const baseUrl = process.argv[2] ?? ''
const body: CreatePostData['body'] = { title: 'Typed', state: 'draft', lines: [{ text: 'a', amount: 1 }] }
const sent: PostInput = { title: 'Typed', state: 'draft', size: { width: 1 } }
// @ts-expect-error It has no title.
export const untitled: [CreatePostData['body']] = [{ state: 'draft' }]
// @ts-expect-error There is no such state.
export const gone: [CreatePostData['body']] = [{ title: 'Tea', state: 'gone' }]
// @ts-expect-error An amount is missing inside the list.
export const incomplete: [CreatePostData['body']] = [{ title: 'Tea', state: 'draft', lines: [{ text: 'a' }] }]
// @ts-expect-error It is read-only.
export const admin: [CreateUserData['body']] = [{ name: 'a', email: 'a@b.test', password: '123456', role: 'admin' }]
// @ts-expect-error It has no title.
export const untitledToo: [PostInput] = [{ state: 'draft' }]
// @ts-expect-error There is no such state.
export const goneToo: [PostInput] = [{ title: 'Tea', state: 'gone' }]
// @ts-expect-error A width is missing inside the object.
export const incompleteToo: [PostInput] = [{ title: 'Tea', state: 'draft', size: {} }]
export const added = () => add(sent)
const { data } = await createPost({ baseUrl, body })
const views: number | undefined = data?.views
const changed = await updatePost({ baseUrl, path: { id: 1 }, body: { views: 5 } })
const { error } = await createUser({ baseUrl, body: { name: '', email: 'a', password: 'b' } })
const said = error && typeof error === 'object' && 'errors' in error ? error.errors : {}
console.log(JSON.stringify([views, changed.data?.views, Object.keys(said)]))
`

const ARGS = [
  ...['db.json', '--in-memory', '--schemas', 'schemas.json', '--time-stamps', 'createdAt,updatedAt'],
  ...['--docs', '--allow', 'all', '--host', '127.0.0.1'],
]

const STRICT =
  '--strict --target es2022 --lib es2022,dom --module esnext --moduleResolution bundler --skipLibCheck ' +
  '--rootDir . --outDir out'

let folder: string

const launch = () => Launched.listening({ folder, args: ARGS })
const program = (name: string) => path.join(packages, name)
const HEY = program('@hey-api/openapi-ts/bin/run.js')
const ORVAL = program('orval/dist/bin/orval.js')

beforeAll(async () => {
  folder = await newFolder({
    'db.json': JSON.stringify(DATA),
    'schemas.json': JSON.stringify(SCHEMAS),
    'package.json': '{"type": "module"}',
    'judge.mjs': JUDGE,
    'program.ts': PROGRAM,
    'hey.config.mjs': `export default { input: 'openapi.json', output: { path: 'hey', importFileExtension: '.js' }, plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'] }`,
  })
  await symlink(packages, path.join(folder, 'node_modules'))
})
afterEach(killAll)
afterAll(removeFolders)

async function runIn(command: readonly string[]): Promise<string> {
  const ran = await promisify(execFile)(process.execPath, command, { cwd: folder }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
  return ran.stdout
}

async function send(url: string, line: string, body?: unknown) {
  const [method = '', target = ''] = line.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const content = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const answer = await ask(url, { method, path: target, ...content })
  return { fits: answer.status < 300, status: answer.status, response: json(answer) }
}

testWith('generated clients compile strictly, and refuse what the server refuses', async () => {
  const { url } = await launch()
  await writeFile(path.join(folder, 'openapi.json'), (await ask(url, { path: '/openapi.json' })).text)
  await mkdir(path.join(folder, 'orval'))
  await runIn([HEY, '-f', 'hey.config.mjs'])
  await runIn([ORVAL, '--input', 'openapi.json', '--output', 'orval/zod.ts', '--client', 'zod'])
  await runIn([ORVAL, '--input', 'openapi.json', '--output', 'orval/client.ts', '--client', 'fetch'])
  const files = ['program.ts', 'hey/zod.gen.ts', 'orval/zod.ts']
  await runIn([TSC, ...STRICT.split(' '), '--types', '', ...files])

  const sent = []
  for (const [line, operation, body, fits] of ROWS) {
    const answer = await send(url, line, body)
    expect([line, body, answer.fits]).toEqual([line, body, fits])
    sent.push({ operation, body, ...(fits && { response: answer.response }) })
  }
  for (const [target, operation] of READ)
    sent.push({ operation, response: (await send(url, `GET ${target}`)).response })
  await writeFile(path.join(folder, 'sent.json'), JSON.stringify(sent))
  const said: Said[] = JSON.parse(await runIn(['judge.mjs']))
  for (const [index, [line, , body, fits, ...missedBy]] of ROWS.entries()) {
    const isMissedBy = (client: 'hey-api' | 'orval') => fits || missedBy.includes(client)
    const expected = { 'hey-api': isMissedBy('hey-api'), orval: isMissedBy('orval') }
    expect([line, body, said[index]?.body]).toEqual([line, body, expected])
  }
  // orval makes none for a response with 201.
  expect(said.filter(({ response }) => response?.includes(false))).toEqual([])
  expect(JSON.parse(await runIn(['out/program.js', url]))).toEqual([0, 5, ['name', 'email', 'password']])
})

testWith(
  'Prism, which looks at requests and responses, refuses nothing that the server accepts',
  async () => {
    const { url } = await launch()
    await writeFile(path.join(folder, 'openapi.json'), (await ask(url, { path: '/openapi.json' })).text)
    const args = ['proxy', 'openapi.json', url, '--errors', '--port', '0', '--host', '127.0.0.1']
    const prism = await Launched.listening({
      folder,
      program: [program('@stoplight/prism-cli/dist/index.js')],
      args,
    })
    for (const [line, , body, fits] of ROWS) {
      const { status, response } = await send(prism.url, line, body)
      const expected = fits ? [200, 201] : [422]
      expect([line, body, expected.includes(status) || response]).toEqual([line, body, true])
    }
    for (const [target] of READ) {
      const { status, response } = await send(prism.url, `GET ${target}`)
      expect([target, status === 200 || response]).toEqual([target, true])
    }
    // These are refused by the server alone.
    const taken = { city: 'Nice', number: 1 }
    expect((await send(prism.url, 'POST /shops', taken)).response).toHaveProperty('errors.city')
    expect((await send(prism.url, 'GET /users/99')).status).toBe(404)
  },
)
