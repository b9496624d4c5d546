import {
  checkListQuery,
  checkParameters,
  isField,
  isFilter,
  isOneField,
  isPattern,
} from '../../../../lib/json-server/requests/query-guard'
import { ask, json, serveHandlers, type TestServer } from '../../../support/http'

let server: TestServer

beforeAll(async () => {
  server = await serveHandlers((request, response) => {
    checkParameters(request.query)
    if (request.path === '/list') checkListQuery(request.query)
    response.status(204).end()
  })
})
afterAll(() => server.close())

function names(count: number): string {
  return Array.from({ length: count }, (_, index) => `field${index}=1`).join('&')
}

/** A query, whether it is let through for a list and for a record, and what names the fault in a refusal. */
test.each([
  { query: '', list: 204, record: 204 },
  { query: 'id=1&id=2', list: 204, record: 204 },
  { query: 'id[]=1&id[]=2', list: 204, record: 204 },
  { query: 'id[]=1', list: 204, record: 204 },
  { query: Array.from({ length: 100 }, (_, id) => `id=${id}`).join('&'), list: 204, record: 204 },
  { query: 'author.name=typicode', list: 204, record: 204 },
  { query: '_sort=title,views&_order=asc,desc', list: 204, record: 204 },
  { query: '_start=1&_end=2&_limit=3&_page=4', list: 204, record: 204 },
  { query: '_embed=comments&_embed=tags', list: 204, record: 204 },
  { query: '_expand[]=post&_expand[]=user', list: 204, record: 204 },
  { query: 'title_like=^Hel%2Bo', list: 204, record: 204 },
  { query: 'title_like=a&title_like=b', list: 204, record: 204 },
  { query: 'title_like=', list: 204, record: 204 },
  { query: 'title_like=%5Cba%5Cb|%5Cbc%5Cb', list: 204, record: 204 },
  { query: `title_like=${'a'.repeat(500)}`, list: 204, record: 204 },
  { query: `title=${'a'.repeat(501)}`, list: 204, record: 204 },
  { query: `like_title=${'%5Cb'.repeat(5)}`, list: 204, record: 204 },
  { query: 'q=(', list: 204, record: 204 },
  { query: `_sort=${'a,'.repeat(19)}a`, list: 204, record: 204 },
  { query: 'toString=x&constructor=y', list: 204, record: 204 },
  { query: names(100), list: 204, record: 204 },
  { query: names(101), list: 400, record: 400, fault: '100 parameters' },
  { query: Array(20).fill('_embed=comments').join('&'), list: 204, record: 204 },
  { query: Array(21).fill('_embed=comments').join('&'), list: 400, record: 400, fault: '"_embed"' },
  { query: Array(21).fill('_expand[]=post').join('&'), list: 400, record: 400, fault: '"_expand"' },
  { query: 'q[a]=b', list: 400, record: 400, fault: '"q"' },
  { query: 'q=a&q[b]=c', list: 400, record: 400, fault: '"q"' },
  { query: 'author[name]=typicode', list: 400, record: 400, fault: '"author"' },
  { query: 'id[][a]=b', list: 400, record: 400, fault: '"id"' },
  { query: '_expand[a]=b', list: 400, record: 400, fault: '"_expand"' },
  { query: 'title[toString]=a', list: 400, record: 400, fault: '"title"' },
  { query: 'title_like[toString]=a', list: 400, record: 400, fault: '"title_like"' },
  { query: 'toString[a]=b', list: 400, record: 400, fault: '"toString"' },
  { query: '_sort[a]=b', list: 400, record: 400, fault: '"_sort"' },
  { query: '_sort=a&_sort=b', list: 400, record: 204, fault: '"_sort"' },
  { query: '_sort[]=a', list: 400, record: 204, fault: '"_sort"' },
  { query: '_order=asc&_order=desc', list: 400, record: 204, fault: '"_order"' },
  { query: `_sort=${'a,'.repeat(20)}a`, list: 400, record: 204, fault: '20 fields' },
  { query: `title_like=${'a'.repeat(501)}`, list: 400, record: 204, fault: '"title_like"' },
  {
    query: `title_like=${'%5Cb%5CB'.repeat(2)}%5Cb`,
    list: 400,
    record: 204,
    fault: 'more than 4 word boundaries',
  },
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

const PARTS = { isField, isFilter, isOneField, isPattern }
const FIELD = ['isField', 'isFilter', 'isOneField']
const PATH = ['isField', 'isFilter']

test.each([
  { names: ['title', 'id', 'query', 'like', 'faq', 'my_callback', 'callbacks', '__'], are: FIELD },
  { names: ['sort', 'my_sort', '_sorted', '_page', 'title_like_it', '_lte_'], are: FIELD },
  { names: ['author.name', 'tags[0]'], are: PATH },
  { names: ['title_lte', 'title_gte', 'title_ne', 'author.name_ne', '_ne'], are: ['isFilter'] },
  { names: ['title_like', 'author.name_like', '_like'], are: ['isFilter', 'isPattern'] },
  { names: ['q', '_', 'callback', '_sort', '_order', '_start', '_end'], are: [] },
  { names: ['_limit', '_embed', '_expand'], are: [] },
])('the parameters $names are to json-server: $are', ({ names, are }) => {
  for (const name of names) {
    const found = Object.entries(PARTS).flatMap(([part, is]) => (is(name) ? [part] : []))
    expect({ name, found }).toEqual({ name, found: are })
  }
})
