import fc from 'fast-check'
import type { Data } from '../../../../lib/data/valid-data'
import { data as legitimateData, otherData } from '../../../app/legitimate-data'
import { ADA, sampleData } from '../../../support/data'
import { documentOf } from './document-of'
import { OpenApiValidator } from './validator'

// The same inputs in every run; the number may be any.
fc.configureGlobal({ seed: 20261121 })

const validator = new OpenApiValidator()
afterAll(() => validator.close())
const ODD_NAMES = `constructor length toString valueOf prototype $schema id users blogs
  docs openapi.json db __rules auth api Error Login Server Blog BlogInput BLOGS a{b} {id} {} %41 100% a%2Fb a+b a.b a*b
  (x) :id $1 . .. ~ ' " <b> & ? # \\ 東京 é 🍵 \u0000 password apiToken q _sort title_ne Id userId blogId`
  .split(/\s+/)
  .concat('', ' ', 'with space', '\n')

const DEEP: unknown = Array.from({ length: 12 }).reduce((value) => [{ value }], 'deep')

test.each<[title: string, data: Data]>([
  ['no data', {}],
  ['sample data', sampleData()],
  ['legitimate data', legitimateData()],
  ['another id', otherData()],
  ['empty collections', { blogs: [], users: [], profile: {} }],
  ['no records in collections', { blogs: [1, 'a', null, [], true], users: [[]], more: [[{ id: 1 }]] }],
  ['mixed ids', { blogs: [{ id: 1 }, { id: 'a' }, {}, { id: null }, { id: { a: 1 } }, { id: 1.5 }] }],
  ['deep values', { blogs: [{ id: 1, deep: DEEP }], users: { deep: DEEP } }],
  [
    'values that JSON does not have',
    { blogs: [{ id: 1, a: undefined, b: 1 / 0, c: () => 1, d: new Date(0) }] },
  ],
  [
    'formats',
    {
      blogs: [
        {
          id: 1,
          e: 'a@b.example',
          d: '2024-02-29',
          t: '2024-02-29T10:00:00Z',
          u: 'https://a.example/?q=1#x',
        },
      ],
    },
  ],
  ['secrets', { tokens: [{ id: 'a', token: 1, secret: [true, { a: 'x' }], password: null }] }],
  [
    'odd names',
    Object.fromEntries(
      ODD_NAMES.filter((name) => !/\//.test(name)).map((name) => [name, [{ id: 1, [name]: name }]]),
    ),
  ],
  ['odd fields', { blogs: [{ id: 1, ...Object.fromEntries(ODD_NAMES.map((name) => [name, 1])) }] }],
  ['odd singulars', Object.fromEntries(ODD_NAMES.map((name) => [name, { [name]: name }]))],
  [
    'relations',
    {
      blogs: [{ id: 1, userId: 1 }],
      users: [{ id: 1 }],
      Id: [{ Id: 1, blogId: 2 }],
      comments: [{ blogId: 1, userId: null, user: 'x' }],
    },
  ],
])('%s -> a valid document without a warning', async (_title, data) => {
  expect(await validator.problems(documentOf(data))).toEqual([])
})

test('with sandboxes, whatever the data is called -> a valid document without a warning', async () => {
  const named = { blogs: [{ id: 1 }], __sandbox: [{ id: 1 }], Sandboxes: { id: 1 } }
  for (const data of [sampleData(), named])
    expect(await validator.problems(documentOf(data, { sandboxHeader: 'X-Sandbox' }))).toEqual([])
})

test('with --openid -> a valid document without a warning', async () => {
  expect(await validator.problems(documentOf(sampleData(), { openid: true }))).toEqual([])
})

test('read-only, without a public collection -> a valid document without a warning', async () => {
  const document = documentOf(legitimateData(), { readOnly: true, publicCollection: false })
  expect(await validator.problems(document)).toEqual([])
})

test.each([{}, sampleData()])(
  'logins of another shape -> a valid document without a warning: %#',
  async (data) => {
    const response = { token: '$token', user: {}, names: ['text'] }
    const accounts = {
      login: '/in',
      signUp: '/up',
      refresh: '/again',
      logout: '/out',
      me: ['POST /me', 'PATCH /me'],
      loginResponse: response,
      meResponse: response,
    }
    const tokenRefusal = { status: 403, body: (message: string) => ({ errors: [message] }) }
    const document = documentOf(
      data,
      { tokenRefusal, sandboxHeader: 'X-Sandbox' },
      { ...accounts, logins: [ADA] },
    )
    expect(await validator.problems(document)).toEqual([])
  },
)

const name = fc.oneof(
  // The validator of examples finds these in every object.
  fc.constantFrom(...ODD_NAMES.filter((name) => !(name in {}))),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('blogs', 'users'),
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.emailAddress(),
      fc.webUrl(),
      fc.uuid(),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
})).value
const record = fc.dictionary(name, value, { maxKeys: 5 })
const anyData = fc.dictionary(
  name.filter((text) => !text.includes('/')),
  fc.oneof(record, fc.array(fc.oneof({ arbitrary: record, weight: 4 }, value), { maxLength: 4 })),
  { maxKeys: 4 },
)

test('any data -> a valid document without a warning', async () => {
  await fc.assert(
    fc.asyncProperty(anyData, fc.boolean(), async (data, readOnly) => {
      expect(
        await validator.problems(
          documentOf(data, { readOnly, sandboxHeader: readOnly ? 'X-Sandbox' : undefined }),
        ),
      ).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('rewrite rules with methods, whose paths differ by the names of parameters alone, or name one twice', async () => {
  const rules = {
    'POST /blogs/:slug': 'GET /blogs/:slug',
    'PUT /x/:id/y/:id': '/blogs/:id',
    'POST /x/:a/y/:b': 'GET /blogs/:b',
    'POST /s/:__proto__': 'GET /blogs?title=:__proto__',
    'POST /__proto__': 'PUT /constructor',
  }
  expect(await validator.problems(documentOf(sampleData(), { rules }))).toEqual([])
})
