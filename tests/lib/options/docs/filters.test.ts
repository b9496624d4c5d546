import { createApp } from '../../../../server'
import { ask, json, serve, type TestServer } from '../../../support/http'
import { documentOf } from './document-of'

const data = () => ({
  posts: [
    {
      id: 1,
      title: 'a',
      date: '2026-01-01',
      views: 3,
      views_gt: 1,
      tags: ['a', 'b'],
      to: [{ id: 4, name: 'Ada' }],
      sold: null,
    },
    { id: 2, title: 'b', date: '2026-02-01', views: 4, views_gt: 2, tags: ['b'], to: [], sold: null },
    {
      id: 3,
      title: 'c',
      date: '2026-03-01',
      views: 5,
      views_gt: 3,
      tags: [],
      to: [{ id: 5, name: 'Bo' }],
      sold: null,
    },
  ],
  comments: [{ id: 1, postId: 1 }],
})

/** The filters of `GET /posts`, with a value that leaves out some of the records. */
const FILTERS: readonly (readonly [name: string, value: string, ids: readonly number[]])[] = [
  ['id', '1', [1]],
  ['id_ne', '1', [2, 3]],
  ['id_gte', '2', [2, 3]],
  ['id_lte', '2', [1, 2]],
  ['id_gt', '2', [3]],
  ['id_lt', '2', [1]],
  ['title', 'a', [1]],
  ['title_ne', 'a', [2, 3]],
  ['title_like', '^[ab]', [1, 2]],
  ['date', '2026-01-01', [1]],
  ['date_ne', '2026-01-01', [2, 3]],
  ['date_like', '-03-', [3]],
  ['date_gte', '2026-02-01', [2, 3]],
  ['date_lte', '2026-02-01', [1, 2]],
  ['date_gt', '2026-02-01', [3]],
  ['date_lt', '2026-02-01', [1]],
  ['views', '3', [1]],
  ['views_ne', '3', [2, 3]],
  ['views_gte', '4', [2, 3]],
  ['views_lte', '4', [1, 2]],
  ['views_lt', '4', [1]],
  // Here, this is a field.
  ['views_gt', '1', [1]],
  ['views_gt_ne', '1', [2, 3]],
  ['views_gt_gte', '2', [2, 3]],
  ['views_gt_lte', '2', [1, 2]],
  ['views_gt_gt', '2', [3]],
  ['views_gt_lt', '2', [1]],
  ['tags_has', 'a', [1]],
  ['to.id', '4', [1]],
  ['to.id_ne', '4', [2, 3]],
  ['to.id_gte', '5', [3]],
  ['to.id_lte', '4', [1]],
  ['to.id_gt', '4', [3]],
  ['to.id_lt', '5', [1]],
  ['to.name', 'Ada', [1]],
  ['to.name_ne', 'Ada', [2, 3]],
  ['to.name_like', 'b', [3]],
  ['sold_is', 'set', []],
]

/** The parameters of an operation that are filters by a field. */
function filtersOf(path: string) {
  const { parameters = [] } = documentOf(data()).paths[path]?.get ?? {}
  return parameters.map((parameter) => Object(parameter)).filter((one) => one.in === 'query')
}

test.each(['/posts', '/posts/{id}/comments'])('%s has the filters of its fields, each once', (path) => {
  const names = filtersOf(path).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  if (path === '/posts') expect(names).toEqual(FILTERS.map(([name]) => name))
  else expect(names).toEqual(expect.arrayContaining(['postId_gt', 'id_lt']))
})

test('what is sent is typed, and of what may be one or the other, each is a parameter of its own', () => {
  const filters = Object.fromEntries(filtersOf('/posts').map((filter) => [filter.name, filter]))
  expect(filters).toMatchObject({
    tags_has: { schema: { type: 'array', items: { type: 'string' } }, explode: true },
    sold_is: { schema: { type: 'string', enum: ['null', 'set'] } },
    views_lt: { schema: { type: 'number' } },
    date_gt: { schema: { type: 'string', format: 'date' } },
    'to.id_ne': { schema: { type: 'array', items: { type: 'integer' } }, explode: true },
  })
  expect(filters.views_lt).not.toHaveProperty('explode')
})

test('no filter takes null, which equals nothing that is sent', () => {
  const { parameters } = documentOf({
    posts: [
      { id: 1, date: 'a' },
      { id: 2, date: null },
    ],
  }).paths['/posts']?.get ?? { parameters: [] }
  expect(parameters).toContainEqual(
    expect.objectContaining({ name: 'date', schema: { type: 'array', items: { type: 'string' } } }),
  )
})

test('a field that a record may lack can be asked for it: null, missing, or of a schema', () => {
  const of = (records: readonly object[]) => {
    const { parameters = [] } = documentOf({ posts: records }).paths['/posts']?.get ?? {}
    return parameters.map((parameter) => Object(parameter).name).filter((name) => /_is$/.test(name ?? ''))
  }
  expect(of([{ id: 1, date: 'a' }])).toEqual([])
  expect(
    of([
      { id: 1, date: 'a' },
      { id: 2, date: null },
    ]),
  ).toEqual(['date_is'])
  expect(of([{ id: 1, to: [{ id: 1 }] }, { id: 2, to: [] }, { id: 3 }])).toEqual(['to_is'])
})

test('of hundreds of fields, each has the filter by its values, and the page can still open the operation', () => {
  const fields = Array.from({ length: 199 }, (_value, index) => `field${index}`)
  const wide = [{ id: 1, ...Object.fromEntries(fields.map((name) => [name, 1])) }]
  const { parameters = [] } = documentOf({ wide }).paths['/wide']?.get ?? {}
  const names = parameters.map((parameter) => Object(parameter).name)
  expect(names).toEqual(expect.arrayContaining(['id', 'id_gt', ...fields]))
  expect(names.length).toBeLessThan(600)
})

describe('each filter of the document acts', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serve(createApp({ data: data(), allow: 'all', log: false }))
  })
  afterAll(() => server.close())

  test.each(FILTERS)('%s=%s -> %j', async (name, value, ids) => {
    const list = json(await ask(server.url, { path: `/posts?${name}=${encodeURIComponent(value)}` }))
    if (!Array.isArray(list)) throw new Error(`${name} gives no list.`)
    expect(list.map(({ id }) => id)).toEqual(ids)
  })
})
