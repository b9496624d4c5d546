import { execFile } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../support/data'
import { killAll, Launched } from '../support/process'
import { fromNpm } from './from-npm'
import { TSC } from './installed-package'

const { folder: packages, testWith } = fromNpm('clients', {
  'openapi-typescript': '7',
  'openapi-fetch': '0.17',
  typescript: '5.9',
})

const DATA = {
  bikes: [{ id: 1, name: 'Red' }],
  repairs: [
    { id: 1, what: 'tyre', bikeId: 1, price: 10, done: true },
    { id: 2, what: 'lamp', bikeId: 1, price: 20, done: false },
  ],
  parts: [{ id: 1, repairId: 1, label: 'tube' }],
  orders: [{ id: 1, lines: [{ id: 7, text: 'Tea' }], address: { city: 'Berlin' } }],
  users: [{ id: 1, email: 'ann@bikes.test', password: 'pedal' }],
  notes: [],
}

const SCHEMAS = {
  notes: {
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 3 },
      views: { type: 'integer', default: 0 },
      state: { enum: ['draft', 'published'] },
      role: { type: 'string', readOnly: true },
    },
  },
}

const FLAGS = [
  ...[
    '--in-memory',
    '--docs',
    '--routes',
    'routes.json',
    '--schemas',
    'schemas.json',
    '--login',
    '/api/login',
    '--sign-up',
    '/api/register',
  ],
  ...['--me', '/api/me', '--me', 'PATCH /api/me', '--refresh', '/api/refresh', '--logout', '/api/logout'],
]

/** What each program begins with: it prints what the others print, without line breaks. */
const BEGINNING = `import createClient from 'openapi-fetch'
import type { components, paths } from './schema'
declare const process: { argv: string[] }
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
const body = { email: 'ann@bikes.test', password: 'pedal' }
const login = await client.POST('/api/login', { body })
const token: string | undefined = login.data?.token
const headers = { Authorization: \`Bearer \${token}\` }
const say = (...said: unknown[]) => console.log(JSON.stringify(said))
`

/** Programs, by the row that each is of, and what they print. */
const PROGRAMS: [row: string, program: string, printed: unknown[]][] = [
  [
    'the body of a login has the names of the users, and only the password is required',
    `await client.POST('/api/login', { body: { password: 'pedal' } })
// @ts-expect-error There is no login without a password.
await client.POST('/api/login', { body: { email: 'ann@bikes.test' } })
say(login.response.status)`,
    [200],
  ],
  [
    'what a schema requires has to be sent in a POST, and not in a PATCH; what the server makes need not be',
    `const added = await client.POST('/api/notes', { body: { title: 'Tea' }, headers })
const views: number | undefined = added.data?.views
const title: string | undefined = added.data?.title
const params = { path: { id: 1 } }
const changed = await client.PATCH('/api/notes/{id}', { params, body: { views: 5 }, headers })
const refused = await client.POST('/api/notes', { body: { title: 'x' }, headers })
const { error } = refused
const said: string[] | undefined = typeof error === 'object' && 'errors' in error ? error.errors.title : undefined
// @ts-expect-error It has no title.
export const untitled: components['schemas']['NoteInput'] = { views: 1 }
// @ts-expect-error There is no such state.
export const gone: components['schemas']['NoteInput'] = { title: 'Tea', state: 'gone' }
say(views, title, changed.data?.views, said?.length)`,
    [0, 'Tea', 5, 1],
  ],
  [
    'what a response always has is required in it',
    `const all = await client.GET('/api/repairs', { headers })
const prices: number[] = all.data?.map(({ price }) => price) ?? []
const own = await client.POST('/auth/login', { body })
const access: string | undefined = own.data?.access_token
say(prices, typeof access, typeof login.data?.token.length)`,
    [[10, 20], 'string', 'number'],
  ],
  [
    'a POST and a PUT may leave out every field, and may send the id; an unknown field is an error',
    `const added = await client.POST('/api/repairs', { body: { what: 'bell', bikeId: 1 }, headers })
const own = await client.POST('/api/repairs', { body: { id: 77, what: 'bell' }, headers })
const params = { path: { id: 77 } }
const replaced = await client.PUT('/api/repairs/{id}', { params, body: { what: 'horn' }, headers })
// @ts-expect-error It is misspelt.
export const misspelt: components['schemas']['RepairInput'] = { whta: 'bell' }
say(added.response.status, own.data?.id, replaced.data?.what)`,
    [201, 77, 'horn'],
  ],
  [
    'what _expand and _embed add are optional fields',
    `const params = { path: { id: 1 }, query: { _expand: 'bike', _embed: 'parts' } }
const { data } = await client.GET('/api/repairs/{id}', { params, headers })
const name: string | undefined = data?.bike?.name
const labels: string[] | undefined = data?.parts?.map(({ label }) => label)
say(name, labels)`,
    ['Red', ['tube']],
  ],
  [
    'paths are those that the application asks for, where a rule takes off a prefix',
    `const { data } = await client.GET('/api/bikes/{id}', { params: { path: { id: 1 } }, headers })
// @ts-expect-error Without the prefix, nobody asks.
await client.GET('/bikes', { headers })
say(data?.name)`,
    ['Red'],
  ],
  [
    'each filter of a field is a parameter of its own',
    `const idsOf = async (query: paths['/api/repairs']['get']['parameters']['query']) =>
  (await client.GET('/api/repairs', { params: { query }, headers })).data?.map(({ id }) => id)
say(await idsOf({ id: [1, 2], _sort: 'id' }), await idsOf({ what_like: '^t', price_lte: 15 }), await idsOf({ price_gte: 15, done: [false] }))`,
    [[1, 2], [1], [2]],
  ],
  [
    'who am I is read and changed, and a refresh and a logout are described',
    `const changed = await client.PATCH('/api/me', { body: { name: 'Ann' }, headers })
const { data } = await client.GET('/api/me', { headers })
const refreshed = await client.POST('/api/refresh', { body: { refresh_token: login.data?.refresh_token ?? '' } })
const ended = await client.POST('/api/logout', { headers })
say(changed.response.status, data?.email, refreshed.response.status, ended.response.ok)`,
    [200, 'ann@bikes.test', 200, true],
  ],
  [
    'nested lists and objects have operations',
    `const params = { path: { id: 1 } }
const added = await client.POST('/api/orders/{id}/lines', { params, body: { text: 'Milk' }, headers })
const { data } = await client.GET('/api/orders/{id}/address', { params, headers })
const city: string | undefined = data?.city
say(added.data?.text, city)`,
    ['Milk', 'Berlin'],
  ],
]

let server: Launched
let application: string

beforeAll(async () => {
  application = await makeFolder()
  await writeFile(path.join(application, 'db.json'), JSON.stringify(DATA))
  await writeFile(path.join(application, 'schemas.json'), JSON.stringify(SCHEMAS))
  await writeFile(path.join(application, 'routes.json'), '{"/api/*": "/$1"}')
  await writeFile(path.join(application, 'package.json'), '{"type": "module"}')
  await mkdir(path.join(application, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await symlink(path.join(packages, name), path.join(application, 'node_modules', name))
  server = await Launched.listening({ folder: application, args: ['db.json', ...FLAGS] })
  const cli = path.join(packages, 'openapi-typescript/bin/cli.js')
  await runIn([cli, `${server.url}/openapi.json`, '-o', 'schema.d.ts'])
})
afterAll(async () => {
  await killAll()
  await rm(application, { recursive: true, force: true })
})

async function runIn(program: readonly string[]): Promise<string> {
  const ran = await promisify(execFile)(process.execPath, program, { cwd: application }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
  return ran.stdout
}

const STRICT =
  '--strict --target es2022 --lib es2022,dom --module esnext --moduleResolution bundler --skipLibCheck'

testWith.each(PROGRAMS)('a generated client, strictly: %s', async (row, program, printed) => {
  const name = `row-${PROGRAMS.findIndex(([other]) => other === row)}`
  await writeFile(path.join(application, `${name}.ts`), BEGINNING + program)
  await runIn([TSC, ...STRICT.split(' '), '--types', '', `${name}.ts`])
  expect(JSON.parse(await runIn([`${name}.js`, server.url]))).toEqual(printed)
})
