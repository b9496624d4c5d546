import { checkQuery } from '../../../lib/json-server/query-guard'
import type { TestServer } from '../../support/helpers'
import { ask, json, serveHandlers } from '../../support/requests'

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers((request, response) => {
    checkQuery(request.query, request.path === '/list' ? 'list' : 'record')
    response.status(204).end()
  })
})
afterAll(() => server.close())

/** A query, whether it is let through for a list and for a record, and what names the fault in a refusal. */
test.each([
  { query: '', list: 204, record: 204 },
  { query: 'id=1&id=2', list: 204, record: 204 },
  { query: 'id[]=1&id[]=2', list: 204, record: 204 },
  { query: 'author[name]=typicode', list: 204, record: 204 },
  { query: 'author.name=typicode', list: 204, record: 204 },
  { query: '_sort=title,views&_order=asc,desc', list: 204, record: 204 },
  { query: '_start=1&_end=2&_limit=3&_page=4', list: 204, record: 204 },
  { query: '_embed=comments&_embed=tags', list: 204, record: 204 },
  { query: '_expand=post&_expand=user', list: 204, record: 204 },
  { query: 'title_like=^Hel%2Bo', list: 204, record: 204 },
  { query: 'title_like=a&title_like=b', list: 204, record: 204 },
  { query: 'title_like=', list: 204, record: 204 },
  { query: 'title_like=(%5Cw%2B,)*', list: 204, record: 204 },
  { query: 'q=(', list: 204, record: 204 },
  { query: 'title=(', list: 204, record: 204 },
  { query: 'q[a]=b', list: 400, record: 204, fault: '"q"' },
  { query: 'q=a&q[b]=c', list: 400, record: 204, fault: '"q"' },
  { query: '_expand[a]=b', list: 400, record: 400, fault: '"_expand"' },
  { query: '_sort[a]=b', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort=a&_sort=b', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort[]=a', list: 400, record: 204, fault: '"_sort"' },
  { query: '_order=asc&_order=desc', list: 400, record: 204, fault: '"_order"' },
  { query: 'title[toString]=a', list: 400, record: 400, fault: '"toString"' },
  { query: 'title[a][toString]=b', list: 400, record: 400, fault: '"toString"' },
  { query: 'title_like=(', list: 400, record: 204, fault: '"title_like"' },
  { query: 'title_like=[', list: 400, record: 204, fault: '"title_like"' },
  { query: 'title_like=*', list: 400, record: 204, fault: '"title_like"' },
  { query: 'title_like=a&title_like=(', list: 400, record: 204, fault: '"title_like"' },
  { query: 'author.name_like=(', list: 400, record: 204, fault: '"author.name_like"' },
])('?$query -> $list for a list, $record for a record', async ({ query, list, record, fault }) => {
  for (const [path, status] of [
    ['/list', list],
    ['/record', record],
  ]) {
    const answer = await ask(server.url, { path: `${path}?${query}` })
    expect(answer.status).toBe(status)
    if (status === 400) expect(json(answer)).toEqual({ error: expect.stringContaining(String(fault)) })
  }
})
