import { stripVTControlCharacters } from 'node:util'
import { createApp } from '../../server'
import { ask, serve, type TestServer, until } from '../support/http'

let server: TestServer
let lines: string[] = []

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(stripVTControlCharacters(String(line)))
    return true
  })
  const data = {
    posts: [{ id: 1, title: 'Hello', views: 100, author: { name: 'Ada' } }],
    comments: [{ id: 1, postId: 1, text: 'Good' }],
    odd: [{ id: 1, 'views:gt': 1, views_lt: 1, _per_page: 2, _where: '{}' }],
    profile: { name: 'Ada' },
  }
  server = await serve(createApp({ data, allow: 'all', log: true }))
})
afterAll(async () => {
  jest.restoreAllMocks()
  await server.close()
})

/** What the log's line says behind the response. */
async function said(path: string, method = 'GET'): Promise<string | undefined> {
  lines = []
  await ask(server.url, { method, path })
  await until(() => lines.length > 0)
  expect(lines).toHaveLength(1)
  return / - \d+ \((.*)\)\n$/.exec(lines[0] ?? '')?.[1]
}

const SORT = /_order/
const THAN = /:gt, .*_gte/
const SAME = /:ne .*_ne/
const ENDS = /endsWith.*_like/
const PARENT = /_expand/

test.each([
  ['/posts?_page=1&_per_page=5', /_limit/],
  ['/posts?_where={"views":{"gt":100}}', /_where.*_gte/],
  ['/posts?views:gt=9', THAN],
  ['/posts?views:lt=9&views:gt=1', THAN],
  ['/posts?views_gt=9', THAN],
  ['/posts?views:gte=9', SAME],
  ['/posts?views:lte=9', SAME],
  ['/posts?title:ne=Hello', SAME],
  ['/posts?author.name:eq=Ada', /:eq /],
  ['/posts?id:in=1,2', /:in /],
  ['/posts?title:contains=ell', /contains.*_like/],
  ['/posts?title:startsWith=H', ENDS],
  ['/posts?title:endsWith=o', ENDS],
  ['/posts?_sort=-views', SORT],
  ['/posts?_sort=author.name,-views', SORT],
  ['/comments?_embed=post', PARENT],
  ['/comments/1?_embed=post', PARENT],
  ['/comments?_embed=posts&_embed=post', PARENT],
  ['/posts/1/comments?_per_page=1', /_limit/],
  ['/posts?views:gt=9&_per_page=1&_sort=-views', /_order.*_limit.*_gte/],
  ['/posts?eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl:eq=1', /:eq /],
])('%s: %s', async (path, clause) => {
  expect(await said(path)).toMatch(clause)
})

test.each([
  '/posts?views_gte=9&_page=1&_limit=5&_sort=views&_order=desc',
  '/posts?_embed=comments',
  '/comments?_expand=post',
  '/odd?views:gt=1&views_lt=2&_per_page=2&_where=1',
  '/odd?_sort=id,views',
  '/profile?_per_page=5',
  '/posts?is_in=1&views:like=1&:gt=1',
])('%s: nothing', async (path) => {
  expect(await said(path)).toBeUndefined()
})

test('no value is repeated, which may be a secret', async () => {
  for (const path of ['/posts?_where=lovelace', '/posts?_sort=-lovelace', '/posts?title:eq=lovelace'])
    expect(await said(path)).not.toContain('lovelace')
  expect(await said('/posts?_per_page=1', 'HEAD')).toMatch(/_limit/)
})
