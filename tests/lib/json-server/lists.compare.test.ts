import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MemoryData } from '../../../lib/data/data-source'
import type { Data } from '../../../lib/data/valid-data'
import { CollectionIndex } from '../../../lib/json-server/collection-index'
import { filtered, filtersOf } from '../../../lib/json-server/filters'
import type { Query } from '../../../lib/json-server/query-checks'
import { servePlain, testApps } from '../../support/app'
import { sampleData } from '../../support/data'
import { ask, json, type TestServer } from '../../support/http'

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
    const { send } = await start({ data: new MemoryData(data(), { isShared }), publicCollection: false })
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
  expect(json(answer)).toEqual({ error: expect.stringContaining('leave out the name in brackets') })
})

/** The records that a query leaves. */
function leave(records: readonly unknown[], query: Query): readonly unknown[] {
  const index = new CollectionIndex(records, 'id')
  return filtered(index, query, filtersOf(query, index))
}

test('a thousand values are compared at once', async () => {
  const books = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `${id}` }))
  const { send } = await start({ data: { ...sampleData(), books } })
  const values = Array.from({ length: 1000 }, (_, id) => `title=${id}`).join('&')
  expect(json(await send('GET', `/books?${values}`))).toHaveLength(1000)
  expect(json(await send('GET', `/books?${values.replaceAll('title', 'title_ne')}`))).toHaveLength(19_000)
})

test.each(['lte', 'gte', 'ne', 'like'])(
  'a list in a record becomes text once for all values of _%s',
  (operator) => {
    const tags = ['m']
    let count = 0
    Object.defineProperty(tags, 'toString', {
      value: () => {
        count += 1
        return 'm'
      },
    })
    leave([{ tags }], { [`tags_${operator}`]: operator === 'gte' ? ['x', 'y', 'z'] : ['a', 'b', 'c'] })
    expect(count).toBe(1)
  },
)

describe('_like', () => {
  const records = [{ text: `${'a'.repeat(40)}!` }, { text: 'b' }, {}, { text: null }, { text: 0 }]
  const ENDLESS = '^(a+)+$'

  function like(patterns: string[], given: readonly unknown[] = records): readonly unknown[] {
    return leave(given, { text_like: patterns })
  }

  /** An error 400 whose message says this. */
  function refused(says: string | RegExp) {
    return expect.objectContaining({ status: 400, message: expect.stringMatching(says) })
  }

  it('leaves the records with a value that one of the patterns matches, without regard to case', () => {
    expect(like(['B'])).toEqual([records[1]])
    expect(like(['!$', '^0'])).toEqual([records[0], records[4]])
    expect(like(['null|undefined|x'])).toEqual([])
    expect(like([''])).toEqual([records[0], records[1], records[4]])
    expect(like(['a'], [])).toEqual([])
  })

  it('stops a pattern that takes too long, and works again for the next request', () => {
    expect(() => like([ENDLESS])).toThrow(refused('take too long'))
    expect(like(['b'])).toEqual([records[1]])
  })

  it('stops patterns of which each is fast enough alone', () => {
    const slow = Array.from({ length: 100 }, () => ({ text: `${'a'.repeat(18)}!` }))
    expect(() => like(Array(100).fill(ENDLESS), slow)).toThrow(refused('take too long'))
  })

  it('explains why a pattern cannot be run', () => {
    expect(() => like(['('])).toThrow(refused('put a backslash before'))
    const nested = Array(10)
      .fill(0)
      .reduce((inner: string) => `(?:${inner}|^){60000}`, 'a')
    // On a busy machine the time may be up before the stack overflows.
    const says = /nested too deeply: simplify it|take too long/
    expect(() => like([nested], [{ text: 'x' }])).toThrow(refused(says))
  })

  it('ignores an invalid pattern where no record has the field', () => {
    expect(like(['('], [{}, { text: null }])).toEqual([])
  })

  it('keeps no records in memory', async () => {
    const search = () => {
      const record = { text: 'a' }
      expect(like(['a'], [record])).toEqual([record])
      return new WeakRef(record)
    }
    const searched = search()
    await new Promise(setImmediate)
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    expect(searched.deref()).toBeUndefined()
  })

  it('passes on what reading a value throws', () => {
    const failing = {
      get text() {
        throw new Error('no value')
      },
    }
    expect(() => like(['a'], [failing])).toThrow('no value')
  })
})
