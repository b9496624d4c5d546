import { readFileSync } from 'node:fs'
import path from 'node:path'
import { newFolder, removeFolders } from '../support/data'
import { ask, json } from '../support/http'
import { killAll, Launched, ROOT } from '../support/process'

afterEach(killAll)
afterAll(removeFolders)

const SCHEMAS = {
  posts: { required: ['title'], properties: { title: { type: 'string', minLength: 3, title: 'Title' } } },
  post: {},
  tags: { properties: { label: { unique: true } } },
}

const page = readFileSync(path.join(ROOT, 'docs/schemas.md'), 'utf8')
const [shown = '', refused = ''] = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = '']) => text)
const refusals = Array.from(page.matchAll(/^\| [\w -]+ \| `(\d+|\{.*\})` \|$/gm), ([, text = '']) => text)

/** Names what has been loaded of packages. */
const LOADED = `module.exports = (request, response, next) =>
  request.path === '/loaded' ? response.json(Object.keys(require.cache)) : next()`

const files = {
  'db.json': JSON.stringify({
    posts: [{ id: 1, title: 'One' }, { id: 2, title: '' }, { id: 3 }],
    tags: [
      { id: 1, label: 'tea' },
      { id: 2, label: 'tea' },
    ],
  }),
  'schemas.json': JSON.stringify(SCHEMAS),
  'schemas.cjs': `module.exports = ${JSON.stringify(SCHEMAS)}`,
  'loaded.cjs': LOADED,
  'wrong.json': JSON.stringify({ posts: { properties: { title: { minLenght: 3 } } } }),
}

async function launch(...args: string[]) {
  const folder = await newFolder(files)
  return Launched.listening({ folder, args: ['--host', '127.0.0.1', '--allow', 'all', ...args] })
}

const post = (server: Launched, target: string, body: object) =>
  ask(server.url, {
    method: 'POST',
    path: target,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

test.each(['schemas.json', './schemas.cjs'])(
  '--schemas %s refuses what does not fit, and is never served',
  async (file) => {
    const server = await launch(
      '--schemas',
      file,
      '--static',
      '.',
      '--time-stamps',
      'created_at',
      '--ids',
      'uuid',
    )
    expect((await post(server, '/posts', {})).status).toBe(422)
    const stored = await post(server, '/posts', { title: 'Two' })
    expect(json(stored)).toEqual({
      title: 'Two',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      created_at: expect.any(String),
    })
    expect((await ask(server.url, { path: `/${path.basename(file)}` })).status).toBe(404)
  },
)

test('the start says once for each collection what does not fit already, and which schema is that of nothing', async () => {
  const server = await launch('--schemas', 'schemas.json')
  const sentences = [
    'The schema of "post" changes nothing, because the data has no "post": did you mean "posts"?',
    '2 of 3 records of "posts" do not fit the schema (id 2): Title must have at least 3 characters.',
    '2 of 2 records of "tags" do not fit the schema (id 1): label is taken already.',
  ]
  await server.until(() => sentences.every((sentence) => server.output.includes(sentence)))
})

test('a schema that cannot be used ends the start with one sentence', async () => {
  const folder = await newFolder(files)
  const launched = new Launched({ folder, args: ['--schemas', 'wrong.json'] })
  expect(await launched.exited).toBe(1)
  expect(launched.output).toContain(
    'wrong.json cannot be used: The schema of "posts" cannot be used: there is no keyword',
  )
})

test.each([
  ['nothing of ajv is loaded without the flags', [], false],
  ['it is where there are schemas', ['--schemas', 'schemas.json'], true],
])('%s', async (_case, args, isLoaded) => {
  const server = await launch('--middlewares', './loaded.cjs', ...args)
  await post(server, '/posts', { title: 'Two' })
  const { text } = await ask(server.url, { path: '/loaded' })
  expect(/node_modules.{1,2}ajv/.test(text)).toBe(isLoaded)
})

test('the schemas of the page refuse what it says, in each of its forms', async () => {
  const users = { users: [], posts: [], shops: [] }
  const folder = await newFolder({ 'db.json': JSON.stringify(users), 'schemas.json': shown })
  const args = ['--host', '127.0.0.1', '--allow', 'all', '--schemas', 'schemas.json']
  const server = await Launched.listening({ folder, args })
  const answer = await post(server, '/users', { email: 'mia' })
  expect(answer.status).toBe(422)
  expect(json(answer)).toEqual(JSON.parse(refused))
  const mia = { name: 'Mia', email: 'mia@example.com', password: 'sourdough', role: 'admin' }
  expect(json(await post(server, '/users', mia))).toEqual({ ...mia, role: 'user', id: 1 })
  expect(refusals).toHaveLength(7)
  for (const refusal of refusals) {
    const config = JSON.stringify({ 'schema-refusal': JSON.parse(refusal) })
    const own = await newFolder({
      'db.json': '{"users": []}',
      'schemas.json': shown,
      'json-server.json': config,
    })
    const { status } = await post(await Launched.listening({ folder: own, args }), '/users', {})
    expect([refusal, status]).toEqual([refusal, refusal.includes('400') ? 400 : 422])
  }
})
