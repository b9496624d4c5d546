import { createApp } from '../../../server'
import { ask, json, serve, type TestServer } from '../../support/http'

let server: TestServer

beforeAll(async () => {
  const data = {
    posts: [
      { id: 1, tags: [1, 'a'], date: '2026-01-01', by: { date: null }, next: 2 },
      { id: 2, tags: ['1', 'b', null, ['c']], date: null, by: { date: 'x' }, next: 1 },
      { id: 3, tags: 'a', title: 'a' },
      { id: 4, tags: [], date: '', by: { date: 0 }, next: 1 },
    ],
    // Here, these are ordinary fields.
    odd: [
      { id: 1, tags: ['a'], tags_has: 'x', date: null, date_is: 'set', n: 1, n_gt: 5, n_lt: 'x' },
      { id: 2, tags: ['x'], date: '2026' },
    ],
    comments: [1, 2, 3, 4].map((id) => ({ id, postId: id })),
  }
  server = await serve(createApp({ data, allow: 'all', log: false }))
})
afterAll(() => server.close())

/** The ids of a list. */
async function ids(path: string): Promise<unknown[]> {
  const { headers, ...answer } = await ask(server.url, { path })
  const list: unknown = json({ headers, ...answer })
  if (!Array.isArray(list)) throw new Error(`${path} is no list.`)
  return list.map(({ id }) => id)
}

test.each([
  ['/posts?tags_has=1', [1, 2]],
  ['/posts?tags_has=1&tags_has=a', [1]],
  ['/posts?tags_has[]=1&tags_has[]=b', [2]],
  ['/posts?tags_has=null', []],
  ['/posts?tags_has=c', []],
  ['/posts?date_is=null', [2, 3]],
  ['/posts?date_is=set', [1, 4]],
  ['/posts?by.date_is=null', [1, 3]],
  ['/posts?tags_has=1&date_is=set&_sort=id&_order=desc', [1]],
  ['/posts?tags_has=1&next=1&q=b', [2]],
  ['/posts?tags_has=1&_start=1&_limit=5', [2]],
  // Both must hold.
  ['/posts?date_is=null&date_is=set', []],
  ['/posts?date_is=set&date_is=set', [1, 4]],
  ['/posts?next_gt=1', [1]],
  ['/posts?next_lt=2', [2, 4]],
  ['/posts?next_gt=0&next_gt=1', [1, 2, 4]],
  ['/posts?next_gt=x', []],
  ['/posts?next_gt=', [1, 2, 4]],
  ['/posts?title_gt=', [3]],
  ['/posts?date_gt=2025-12-31', [1]],
  ['/posts?by.date_lt=z', [2]],
  ['/posts?by.date_gt=-1', [2, 4]],
  ['/posts?tags_gt=0', [3]],
  ['/posts?by_gt=0', []],
  ['/posts?id_gt=1&id_lt=4&next_gt=0', [2]],
  // json-server ignores these.
  ['/posts?date_is=null&date_is=other', [1, 2, 3, 4]],
  ['/posts?nope_gt=1', [1, 2, 3, 4]],
  ['/posts?_gt=1', [1, 2, 3, 4]],
  ['/posts?title_has=a', [1, 2, 3, 4]],
  ['/posts?nope_is=null', [1, 2, 3, 4]],
  ['/posts?date_is=other', [1, 2, 3, 4]],
  ['/odd?tags_has=x', [1]],
  ['/odd?tags_has=a', []],
  ['/odd?date_is=set', [1]],
  ['/odd?n_gt=5', [1]],
  ['/odd?n_gt=0', []],
  ['/odd?n_lt=x', [1]],
  ['/odd?date_is=null', []],
])('%s -> %j', async (path, expected) => {
  expect(await ids(path)).toEqual(expected)
})

test('a page, its headers and its relations', async () => {
  const answer = await ask(server.url, { path: '/posts?tags_has=1&_page=2&_limit=1&_embed=comments' })
  expect(answer.headers['x-total-count']).toBe('2')
  expect(answer.headers.link).toMatch(/rel="prev"/)
  expect(json(answer)).toEqual([expect.objectContaining({ id: 2, comments: [{ id: 2, postId: 2 }] })])
})

test('a list in which nothing is left is sent to the function that JSONP names, too', async () => {
  const { text } = await ask(server.url, { path: '/posts?tags_has=nothing&callback=show' })
  expect(text).toContain('show([])')
})

test('a relation to the same collection looks in all of it', async () => {
  const data = {
    posts: [
      { id: 1, tags: ['a'], postId: 2 },
      { id: 2, tags: ['b'], postId: 1 },
    ],
  }
  const own = await serve(createApp({ data, allow: 'all', log: false }))
  const answer = await ask(own.url, { path: '/posts?tags_has=a&_embed=posts&_expand=post' })
  expect(json(answer)).toEqual([{ ...data.posts[0], posts: [data.posts[1]], post: data.posts[1] }])
  await own.close()
})

test.each(['tags_has[a]=1', 'date_is[a]=null', 'next_gt[a]=1', 'next_lt[][a]=1', 'next_gt[toString]=1'])(
  'an object as a value is refused: %s',
  async (query) => {
    expect((await ask(server.url, { path: `/posts?${query}` })).status).toBe(400)
  },
)

test.each(['nope_gt[a]=1', 'date_lt_gt[toString]=1', 'title_has[a]=1'])(
  'an object is ignored where no record has the field: %s',
  async (query) => {
    expect(await ids(`/posts?${query}`)).toEqual([1, 2, 3, 4])
  },
)
