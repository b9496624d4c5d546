import type { RequestHandler } from 'express'
import type { Data } from '../../../lib/data/valid-data'
import { testApps } from '../../support/app'
import { memoryData, sampleData } from '../../support/data'
import { ask, json, type TestServer } from '../../support/http'
import { servePlain } from '../../support/json-server'

const { start } = testApps()
const plain: TestServer[] = []
afterEach(() => Promise.all(plain.splice(0).map((server) => server.close())))

const PARAMETERS = 'q _page _start _end _sort _order _limit _embed _expand callback _'.split(' ')

const data = (): Data => ({
  ...sampleData(),
  books: [
    { id: 1, title: 'b', page: 7, author: { name: 'x' }, 'a.b': 1 },
    { id: 2, title: 'a', page: 8, tags: ['x', 'y'] },
    { id: 3, title: 'c', page: 9, tags: [], author: { name: 'y' } },
    { id: 4, title: null },
  ],
  empty: [],
  odd: [
    { id: 1, a: { toString: 1 } },
    { id: 2, a: 'x', title: 'second' },
  ],
  words: ['tea', null, 5, ['tea', 'pot']],
  sheets: [1, 2].map((id) => ({
    ...Object.fromEntries(PARAMETERS.map((name) => [name, `${name} of ${id}`])),
    id,
    _page: id,
  })),
})

/** The same request to json-server and to ours, over data that only we change and that others may change. */
async function compare(path: string) {
  const reference = await servePlain(data())
  plain.push(reference)
  const theirs = await ask(reference.url, { path })
  for (const isShared of [false, true]) {
    const { send } = await start({ data: memoryData(data(), { isShared }), publicCollection: false })
    const ours = await send('GET', path)
    expect({ path, status: ours.status, text: ours.text, count: ours.headers['x-total-count'] }).toEqual({
      path,
      status: theirs.status,
      text: theirs.text,
      count: theirs.headers['x-total-count'],
    })
  }
  return theirs
}

describe('the same list as from json-server', () => {
  test.each([
    // An object without a text, which another filter leaves out
    '/odd?q=second&a=x',
    '/odd?title_like=second&a=x',
    // Parameters that no record has
    '/books?unknown=1&title=a',
    '/books?phone=1&title=a',
    '/books?author.unknown=1&title=a',
    '/books?author.name=x&unknown_ne=1',
    '/books?a.b=1',
    '/books?page=8&_page=1&_limit=1',
    '/books?length=2',
    '/books?tags.length=2',
    '/books?tags[0]=x',
    '/books?tags.1=y&tags.1=z',
    '/books?author].name=x',
    '/words?length=3',
    '/words?length=3&length=2',
    '/words?0=t&0=tea',
    '/books?constructor=1',
    '/books?__proto__=1&title=a',
    // An empty collection has none at all, not even that of JSONP
    '/empty?callback=show&title=a&title_like=(',
    '/empty?_page=1&_sort=title',
    '/books?callback=show&title=a&_=1712',
    '/books?callback=show&title=none',
    // Fields named like parameters that json-server reads
    '/sheets?_page=1',
    '/sheets?_page=2&_limit=1',
    ...PARAMETERS.map((name) => `/sheets?${name}=2`),
    // Brackets that mean nothing
    '/books?pages[number]=1&pages[size]=2',
    '/books?filter[title]=a&fields[books]=title',
    '/books?callback[x]=y',
    '/books?_x[y]=z&_limit=2',
    // Values that are compared as text
    '/books?id=1&id=2&id=x&title=a&title=b',
    '/books?id=1&id=01&id=1.0',
    '/books?title=null&title=undefined',
    '/books?id_ne=1&id_ne=2&title_ne=c',
    '/books?author=%5Bobject%20Object%5D&author=1',
    '/books?tags=x,y&tags=',
    '/books?tags_ne=x,y&tags_ne=z',
    '/books?page_gte=8&page_lte=8&page_lte=9',
    '/books?_ne=1',
    '/books?title_like=A&title_like=^c',
    '/books?q=A&title_like=a',
    '/books?q[]=x&id_lte=2',
    // No pattern is compiled for records that the text has left out
    '/books?title_like=(&q=nothing',
    // Pages and slices
    '/books?_start=1&_end=3',
    '/books?_start=-2&_limit=1',
    '/books?_end=-1',
    '/books?_limit=x',
    '/books?_page=2&_limit=2&_sort=title&_order=desc',
    '/books?_sort=page,title&_order=desc,asc&_start=1&_limit=2',
  ])('%s', async (path) => {
    const { status } = await compare(path)
    expect(status).toBe(200)
  })
})

test.each([
  '/books?title[a]=b',
  '/books?page[size]=1',
  '/books?author.name[x]=y',
  '/books?x_like[y]=z',
  '/books?_page[a]=b',
])('%s: brackets are refused where they mean a field, or what json-server reads', async (path) => {
  const { send } = await start({ data: data() })
  const answer = await send('GET', path)
  expect(answer.status).toBe(400)
  expect(json(answer)).toEqual({ error: expect.stringContaining('brackets') })
})

test('a thousand values are compared at once', async () => {
  const books = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `${id}` }))
  const { send } = await start({ data: { ...sampleData(), books } })
  const values = Array.from({ length: 1000 }, (_, id) => `title=${id}`).join('&')
  expect(json(await send('GET', `/books?${values}`))).toHaveLength(1000)
  expect(json(await send('GET', `/books?${values.replaceAll('title', 'title_ne')}`))).toHaveLength(19_000)
})

describe('_like', () => {
  const ENDLESS = '^(a+)+$'
  const RECORDS = [{ text: `${'a'.repeat(40)}!` }, { text: 'b' }, {}, { text: null }, { text: 0 }]

  /** The status and the records, or the error, where one of the patterns is to match a text. */
  async function like(patterns: string[], records: object[] = RECORDS): Promise<unknown[]> {
    const { send } = await start({ data: { ...sampleData(), records } })
    const query = patterns.map((pattern) => `text_like=${encodeURIComponent(pattern)}`).join('&')
    const answer = await send('GET', `/records?${query}`)
    expect((await send('GET', '/records?text_like=b')).status).toBe(200)
    return [answer.status, json(answer)]
  }

  const refused = (word: RegExp) => [400, { error: expect.stringMatching(word) }]

  test.each<[patterns: string[], found: object[]]>([
    [['B'], [{ text: 'b' }]],
    [
      ['!$', '^0'],
      [{ text: `${'a'.repeat(40)}!` }, { text: 0 }],
    ],
    [['null|undefined|x'], []],
  ])('%j finds what one of the patterns matches, without regard to case', async (patterns, found) => {
    expect(await like(patterns)).toEqual([200, found])
  })

  it('stops a pattern that takes too long, and works again for the next request', async () => {
    expect(await like([ENDLESS])).toEqual(refused(/too long/))
  })

  it('stops patterns of which each is fast enough alone', async () => {
    const slow = Array.from({ length: 100 }, () => ({ text: `${'a'.repeat(18)}!` }))
    expect(await like(Array(50).fill(ENDLESS), slow)).toEqual(refused(/too long/))
  })

  it('explains why a pattern cannot be run', async () => {
    expect(await like(['('])).toEqual(refused(/backslash/))
    const nested = Array(10)
      .fill(0)
      .reduce((inner: string) => `(?:${inner}|^){60000}`, 'a')
    // On a busy machine the time may be up before the stack overflows.
    expect(await like([nested], [{ text: 'x' }])).toEqual(refused(/nested|too long/))
  })

  it('ignores an invalid pattern where no record has the field', async () => {
    expect(await like(['('], [{}, { text: null }])).toEqual([200, []])
  })
})

describe('the query behind json-server', () => {
  test.each([
    '/books?unknown=1&title=a&_page=1&_limit=2&_sort=title',
    '/books?callback=show&_=5&other[x]=1&title_like=a',
    '/sheets?_page=1&q=x&_expand=nobody&_embed=books',
    '/empty?callback=show&title=a',
  ])('%s leaves the same as there', async (path) => {
    const seen: unknown[] = []
    const look: RequestHandler = (request, response, next) => {
      const jsonp = response.jsonp.bind(response)
      response.jsonp = (body: unknown) => {
        seen.push({ ...request.query })
        return jsonp(body)
      }
      next()
    }
    const reference = await servePlain(data(), { middlewares: [look] })
    plain.push(reference)
    await ask(reference.url, { path })
    const { send } = await start({ data: data(), middlewares: [look] })
    await send('GET', path)
    expect(seen[1]).toEqual(seen[0])
    expect(seen).toHaveLength(2)
  })
})
