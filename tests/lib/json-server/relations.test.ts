import fc from 'fast-check'
import jsonServer from 'json-server'
import type { Data } from '../../../lib/data/valid-data'
import { isObject, isRecord } from '../../../lib/is-record'
import { createApp } from '../../../server'
import { memoryData, sampleData } from '../../support/data'
import { ask, authorized, json, logIn, serve, type TestServer } from '../../support/http'
import { servePlain } from '../../support/json-server'
import { runs } from '../../support/random'

const servers: TestServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** Sends GET requests to an application over this data. */
async function start(data: Data, { isShared = false, isWhole = false } = {}) {
  const memory = memoryData(isWhole ? data : { ...sampleData(), ...data }, { isShared })
  const server = await serve(createApp({ data: memory, log: false }))
  servers.push(server)
  const headers = authorized(await logIn(server.url))
  return (path: string) => ask(server.url, { path, headers })
}

/** Records that count each read of a field. */
function watched(records: object[], field: string) {
  const looks = { count: 0 }
  const watch = (record: object): object =>
    new Proxy(record, {
      get(target, name) {
        if (name === field) looks.count += 1
        return Reflect.get(target, name)
      },
    })
  return { looks, records: records.map(watch) }
}

const MANY = 300

function numbered(fields: (index: number) => object): object[] {
  return Array.from({ length: MANY }, (_, index) => ({ id: index + 1, ...fields(index) }))
}

describe.each([false, true])('a list whose data is shared: %s', (isShared) => {
  test('_embed looks at each record of the other collection a fixed number of times', async () => {
    const { looks, records } = watched(
      numbered((index) => ({ authorId: (index % 7) + 1 })),
      'authorId',
    )
    const get = await start({ authors: numbered(() => ({})), books: records }, { isShared })
    looks.count = 0
    const answer = await get('/authors?_embed=books')
    expect(json(answer)).toHaveLength(MANY)
    expect(answer.text.match(/authorId/g)).toHaveLength(MANY)
    // To find it and to turn it into text
    expect(looks.count).toBeLessThanOrEqual(4 * MANY)
  })

  test('_expand looks at each parent a fixed number of times', async () => {
    const { looks, records } = watched(
      numbered(() => ({})),
      'id',
    )
    const get = await start(
      { authors: records, books: numbered((index) => ({ authorId: MANY - index })) },
      { isShared },
    )
    looks.count = 0
    const answer = await get('/books?_expand=author')
    expect(answer.text.match(/"author": \{/g)).toHaveLength(MANY)
    // To find the first ten one by one, to make a map for the others, and to turn all into text
    expect(looks.count).toBeLessThanOrEqual((10 + 4) * MANY)
  })
})

test.each([false, true])(
  'what is no object in a list stays as it is, beside relations of the others (shared: %s)',
  async (isShared) => {
    const others = [null, 5, 'text', true]
    const book = { id: 1, authorId: 1, tagIds: [1] }
    const data = { authors: [...others, { id: 1 }], books: [...others, book], tags: [null, { id: 1 }] }
    const get = await start(data, { isShared })
    for (const [path, last] of [
      ['/authors?_embed=books', { id: 1, books: [book] }],
      ['/authors?_embed=books&_page=1', { id: 1, books: [book] }],
      ['/books?_expand=author', { ...book, author: { id: 1 } }],
      ['/books?_expand=tags', { ...book, tags: [{ id: 1 }] }],
    ] as const)
      expect([path, json(await get(path))]).toEqual([path, [...others, last]])
  },
)

test('_expand of a name that leads nowhere is looked up once, not for each record', async () => {
  const asked: string[] = []
  const data = new Proxy<Data>(
    { ...sampleData(), books: numbered(() => ({ authorId: 1 })) },
    {
      get(target, name) {
        asked.push(String(name))
        return Reflect.get(target, name)
      },
    },
  )
  const get = await start(data, { isShared: true, isWhole: true })
  const plain = (await get('/books')).text
  asked.length = 0
  expect((await get('/books?_expand=nobody')).text).toBe(plain)
  expect(asked.filter((name) => name === 'nobodies').length).toBeLessThanOrEqual(1)
})

describe('relations of a list', () => {
  const value = fc.oneof(
    fc.constantFrom(0, 1, 2, '1', '2', '', true, false, 'true'),
    fc.constantFrom([], [1], [1, 2], [2, 1], ['1'], [[1]], {}, { a: 1 }, { a: 1, b: 2 }, { a: { b: [1] } }),
  )
  const field = fc.oneof({ arbitrary: value, weight: 9 }, fc.constant(null))
  const record = fc.record({ authorId: field, rank: fc.nat(3) }, { requiredKeys: [] })
  const { filter } = jsonServer.router({}).db._

  it('embeds the records that lodash finds, and those with the id in a list, whatever the ids and the keys are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: field }, { requiredKeys: [] }), { maxLength: 8 }),
        fc.array(fc.oneof({ arbitrary: record, weight: 9 }, fc.constantFrom('text', null, [1], 5)), {
          maxLength: 12,
        }),
        async (authors, books) => {
          const get = await start({ authors, books })
          const expected = authors.map((author) => {
            const found: unknown[] = filter(books, { authorId: author.id })
            const isFound = (book: unknown) => found.includes(book) || listsAuthor(book, author.id)
            return { ...author, books: books.filter(isFound) }
          })
          expect(json(await get('/authors?_embed=books'))).toEqual(JSON.parse(JSON.stringify(expected)))
        },
      ),
      runs(20),
    )
  })

  function listsAuthor(book: unknown, id: unknown): boolean {
    const ids = isRecord(book) ? book.authorId : undefined
    if (isObject(id) || (id ?? undefined) === undefined || !Array.isArray(ids)) return false
    return ids.some((one) => !isObject(one) && String(one) === String(id))
  }

  it.each([Number.NaN, undefined, -0])('treats the id %p as lodash does', async (id) => {
    const books = [Number.NaN, undefined, 0, null].map((authorId) => ({ authorId, title: `of ${authorId}` }))
    const get = await start({ authors: [{ id }], books: [...books, { title: 'without' }] })
    const expected = [{ id, books: filter([...books, { title: 'without' }], { authorId: id }) }]
    expect(json(await get('/authors?_embed=books'))).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('finds no parent by a key that is null, or missing', async () => {
    const books = [{ authorId: null }, {}]
    const get = await start({ authors: [{ id: null }, { name: 'without' }], books })
    expect(json(await get('/books?_expand=author'))).toEqual(books)
  })

  const data = (): Data => ({
    authors: [{ id: 1, books: 'replaced' }, { id: '1' }, { id: 2, author: { nameId: 1 } }, { id: [1] }, {}],
    books: [
      { id: 1, authorId: 1, 'author.nameId': 2 },
      { id: 2, authorId: '1' },
      { id: 3, authorId: { of: 1 }, pages: [{ authorId: 2 }] },
      { id: 4, authorId: 77 },
    ],
    id: [{ authorId: [] }],
    'author.names': [{ id: 2 }],
    profile: { length: 4 },
  })

  it.each([
    '/authors?_embed=books',
    '/authors?_embed=books&_embed=books',
    '/authors?_embed=nope&_embed=books&_embed=',
    '/authors?_embed=id&_embed=books',
    '/authors?_embed=books&_embed=id&_embed=books',
    '/authors?_embed=books[2].pages',
    '/authors?_embed=books.2.pages&_page=1&_limit=2',
    '/authors?_embed[]=books&_embed[]=authors',
    '/authors?_embed[]=&_expand[]=',
    '/authors?_embed=books&_expand=nope',
    '/author.names?_embed=books',
    '/books/1?_expand=author.name',
    '/books?id=4&_expand=author',
    '/books?id=1&id=2&_expand=author&_embed=authors',
    '/books?id=1&_expand=profile',
    '/authors?_embed=__proto__&_embed=constructor&_embed=toJSON',
  ])('%s: the same bytes as from json-server', async (path) => {
    const plain = await servePlain(data())
    servers.push(plain)
    for (const isShared of [false, true]) {
      const [theirs, ours] = [await ask(plain.url, { path }), await (await start(data(), { isShared }))(path)]
      expect(theirs.status).toBe(200)
      expect([ours.status, ours.text]).toEqual([theirs.status, theirs.text])
    }
  })

  it.each(['/books?_expand=', '/books/1?_expand=', '/books?_expand=&_expand='])(
    '%s, where a collection has an empty name: the same bytes as from json-server',
    async (path) => {
      const unnamed = { '': [{ id: 1 }], books: [{ id: 1, Id: 1 }] }
      const plain = await servePlain(unnamed)
      servers.push(plain)
      const get = await start(unnamed)
      expect((await get(path)).text).toBe((await ask(plain.url, { path })).text)
    },
  )
})

/** What a server without a login sends. */
async function body(data: Data, path: string, options = {}): Promise<unknown> {
  const server = await serve(createApp({ data, allow: 'all', log: false, ...options }))
  servers.push(server)
  return json(await ask(server.url, { path }))
}

describe('with another id property', () => {
  const options = { idProperty: '_id', foreignKeySuffix: '_id' }
  const data = {
    posts: [{ _id: 'a1', id: 'other' }, { _id: 'b2' }],
    comments: [
      { _id: 1, post_id: 'a1' },
      { _id: 2, post_id: 'other' },
    ],
  }
  const [first] = data.comments

  test('_embed finds the records that refer to it', async () => {
    const [one, two] = data.posts
    const embedded = { ...one, comments: [first] }
    expect(await body(data, '/posts?_embed=comments', options)).toEqual([embedded, { ...two, comments: [] }])
    expect(await body(data, '/posts/a1?_embed=comments', options)).toEqual(embedded)
    expect(await body(data, '/posts/a1/comments', options)).toEqual([first])
  })
})

test('_expand of a plural follows a list of ids', async () => {
  const tags = [1, 2, 3].map((id) => ({ id }))
  const posts = [
    { id: 1, tagIds: [1, '3', 9] },
    { id: 2, tagsId: 2, tagIds: [1] },
    { id: 3, tagIds: 1 },
  ]
  const [one, two, three] = posts
  const [first, second, third] = tags
  expect(await body({ posts, tags }, '/posts?_expand=tags')).toEqual([
    { ...one, tags: [first, third] },
    { ...two, tags: second },
    three,
  ])
  expect(await body({ posts, tags }, '/posts/1?_expand=tags')).toEqual({ ...one, tags: [first, third] })
  expect(await body({ posts, tags }, '/posts/1?_expand=tag')).toEqual(one)
})
