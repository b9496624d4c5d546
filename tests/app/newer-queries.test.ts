import { readFileSync } from 'node:fs'
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
    odd: [{ id: 1, 'views:gt': 1, _per_page: 2, _where: '{}', '-views': 1 }],
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

const AS = 'as in json-server 0.17, '

test.each([
  ['/posts?_page=1&_per_page=5', '_per_page is _limit'],
  ['/posts?_where={"views":{"gt":100}}', '_where is a parameter for each field, such as views_gte'],
  ['/posts?views:gt=9', 'views:gt is views_gte (which includes the value)'],
  ['/posts?views:lt=9', 'views:lt is views_lte (which includes the value)'],
  ['/posts?views:gte=9', 'views:gte is views_gte'],
  ['/posts?views:lte=9', 'views:lte is views_lte'],
  ['/posts?author.name:eq=Ada', 'author.name:eq is author.name'],
  ['/posts?title:ne=Hello', 'title:ne is title_ne'],
  ['/posts?id:in=1,2', 'id:in is id (once for each value)'],
  ['/posts?title:contains=ell', 'title:contains is title_like'],
  ['/posts?title:startsWith=H', 'title:startsWith is title_like=^...'],
  ['/posts?title:endsWith=o', 'title:endsWith is title_like=...$'],
  ['/posts?views_gt=9', 'views_gt is views_gte (which includes the value)'],
  ['/posts?_sort=-views', '_sort=-field is _sort=field&_order=desc'],
  ['/posts?_sort=author.name,-views', '_sort=-field is _sort=field&_order=desc'],
  ['/comments?_embed=post', '_embed of a parent is _expand'],
  ['/comments/1?_embed=post', '_embed of a parent is _expand'],
  ['/comments?_embed=post&_embed=nothing', '_embed of a parent is _expand'],
  ['/posts/1/comments?_per_page=1', '_per_page is _limit'],
  [
    '/posts?_sort=-views&_per_page=1&views:gt=9&title:ne=x',
    [
      '_sort=-field is _sort=field&_order=desc',
      '_per_page is _limit',
      'views:gt is views_gte (which includes the value)',
    ].join('; '),
  ],
])('%s: %s', async (path, clause) => {
  expect(await said(path)).toBe(AS + clause)
})

test.each([
  '/posts?views_gte=9&_page=1&_limit=5&_sort=views&_order=desc',
  '/posts?_embed=comments',
  '/posts?_embed=nothing',
  '/comments?_expand=post',
  '/odd?views:gt=1&_per_page=2&_where=1&_sort=-views',
  '/odd?_sort=id,-views',
  '/posts/1?_per_page=5&views:gt=1',
  '/profile?_per_page=5',
  '/posts?a%0Ab:gt=1',
  '/posts?is_in=1&views:like=1&:gt=1',
  '/posts?eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2lnbmF0dXJl:gt=1',
])('%s: nothing', async (path) => {
  expect(await said(path)).toBeUndefined()
})

test('the table for those who come from json-server 1.0 holds queries that are read, and only these', async () => {
  const [, table = ''] =
    /## From json-server 1\.0 beta\n(.*?)\n## /s.exec(readFileSync('docs/json-server.md', 'utf8')) ?? []
  const rows = [...table.matchAll(/^\| `GET (\S+)`.*\| .*?`GET (\S+)`/gm)]
  expect(rows.length).toBeGreaterThan(6)
  for (const [, theirs = '', ours = ''] of rows) {
    expect([theirs, await said(theirs)]).toEqual([theirs, expect.stringContaining(AS)])
    expect([ours, await said(ours)]).toEqual([ours, undefined])
  }
})

test('no value is repeated, which may be a secret', async () => {
  for (const path of ['/posts?_where=lovelace', '/posts?_sort=-lovelace', '/posts?title:eq=lovelace'])
    expect(await said(path)).not.toContain('lovelace')
  expect(await said('/posts?_per_page=1', 'HEAD')).toBe(`${AS}_per_page is _limit`)
})
