import jsonServer from 'json-server'
import { listFunctions } from '../../../../lib/json-server/lists/list-functions'
import { CurrentSearch } from '../../../../lib/json-server/lists/search'
import { ResultCache } from '../../../../lib/json-server/records/result-cache'

const { has, orderBy, map } = jsonServer.router({}, { foreignKeySuffix: 'Id' }).db._

const posts = [{ title: 'b' }, { title: 'a' }, { title: 'c' }]
const [b, a, c] = posts

/** The functions over collections whose results are cached, or are not. */
function newLists({ isCached = true } = {}) {
  const cache = new ResultCache()
  const search = new CurrentSearch()
  const lists = listFunctions({
    lodash: { has, map },
    search,
    cacheOf: () => (isCached ? cache : undefined),
  })
  return { cache, lists, search }
}

describe('orderBy', () => {
  it.each([
    { title: 'a field that holds strings', paths: ['title'], orders: ['asc'], sorted: [a, b, c] },
    { title: 'downward', paths: ['title'], orders: ['desc'], sorted: [c, b, a] },
    { title: 'a field that is missing', paths: ['unknown', 'title'], orders: ['desc'], sorted: [a, b, c] },
  ])('sorts as lodash does and keeps the order: $title', ({ paths, orders, sorted }) => {
    const { cache, lists } = newLists()
    const first = lists.orderBy(posts, paths, orders)
    expect(first).toEqual(sorted)
    expect(first).toEqual(orderBy(posts, paths, orders))
    expect(lists.orderBy(posts, [...paths], [...orders])).toBe(first)
    cache.clear()
    expect(lists.orderBy(posts, [...paths], orders)).not.toBe(first)
  })

  it('tells the orders apart', () => {
    const { lists } = newLists()
    const of = (paths: string[], orders: string[]) => lists.orderBy(posts, paths, orders)
    expect(of(['title'], ['asc'])).not.toEqual(of(['title'], ['desc']))
    expect(of(['id', 'title'], ['asc', 'desc'])).not.toEqual(of(['id', 'title'], ['desc', 'asc']))
    expect(of(['title'], ['asc'])).toBe(of(['title'], ['']))
  })

  it('caches nothing if a change would go unnoticed', () => {
    const { lists } = newLists({ isCached: false })
    const first = lists.orderBy(posts, ['title'], ['asc'])
    expect(lists.orderBy(posts, ['title'], ['asc'])).not.toBe(first)
  })

  it('sorts once for one chain, which calls it with the same objects', () => {
    const { lists, search } = newLists({ isCached: false })
    const [paths, orders] = [['title'], ['asc']]
    search.during({}, () => {
      const first = lists.orderBy(posts, paths, orders)
      expect(lists.orderBy(posts, paths, orders)).toBe(first)
      expect(lists.orderBy([...posts], paths, orders)).not.toBe(first)
    })
  })

  it.each([
    { title: 'many fields', paths: Array.from({ length: 20 }, (_, index) => `title${index}`) },
    { title: 'a long path', paths: [Array(200).fill('constructor').join('.')] },
  ])('refuses to sort a large list by $title', ({ paths }) => {
    const { lists } = newLists()
    const large = Array.from({ length: 100_000 }, () => ({}))
    expect(() => lists.orderBy(large, paths, [])).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => lists.orderBy(large, ['a', 'b', 'c', 'd'], [])).not.toThrow()
    expect(() => lists.orderBy(large.slice(-1000), paths, [])).not.toThrow()
  })
})

describe('hideUnknown', () => {
  it.each([
    {
      title: 'records without them',
      collection: posts,
      hidden: ['_page', 'unknown', 'author.name', 'author].name'],
    },
    {
      title: 'no records',
      collection: [],
      hidden: ['_page', 'title', 'unknown', 'author.name', 'author].name'],
    },
    {
      title: 'records that are no objects',
      collection: ['_page', null, 1],
      hidden: ['_page', 'title', 'unknown', 'author.name', 'author].name'],
    },
    {
      title: 'records of which one has them',
      collection: [...posts, { _page: 7, author: { name: 1 } }, { unknown: undefined }],
      hidden: [],
    },
    {
      title: 'records of which none has what a path leads to',
      collection: [...posts, { _page: 7, author: { id: 1 } }, { unknown: undefined }],
      hidden: ['author.name', 'author].name'],
    },
    {
      title: 'records with a dot in a name',
      collection: [{ 'author.name': 1 }],
      hidden: ['_page', 'title', 'unknown', 'author].name'],
    },
  ])('hides what json-server would look for in vain: $title', ({ collection, hidden }) => {
    const query = {
      ...{ _page: '2', _limit: '3', _sort: 'title', q: 'a', callback: 'show', _: '1' },
      ...{ title: 'a', title_like: 'a', unknown_ne: 'b', unknown: 'b', 'author.name': 'c', length: '4' },
      // lodash reads it as author.name.
      'author].name': 'c',
    }
    newLists().lists.hideUnknown(query, collection)
    const all = Object.getOwnPropertyNames(query)
    expect(all.filter((name) => !Object.keys(query).includes(name))).toEqual(hidden)
    expect(query._page).toBe('2')
  })

  it.each([
    { title: 'a field that is the last to be found', name: 'author', count: 50 },
    { title: 'a path that leads nowhere', name: 'author.', count: 50 },
    { title: 'an operator', name: '_ne', count: 50 },
    { title: 'one long name', name: `${'a'.repeat(10_000)}_ne`, count: 1 },
  ])('refuses, for a large collection, too many looks at each record: $title', ({ name, count }) => {
    const names = Array.from({ length: count }, (_, index) =>
      name === '_ne' ? `f${index}_ne` : `${name}${index || ''}`,
    )
    const fields = Object.fromEntries(names.map((field) => [field, 1]))
    const query = Object.fromEntries(names.map((field) => [field.endsWith('.') ? `${field}x` : field, '1']))
    const collection: object[] = [...Array.from({ length: 50_000 }, () => ({})), { author: {}, ...fields }]
    const { lists } = newLists()
    expect(() => lists.hideUnknown({ ...query }, collection)).toThrow(
      expect.objectContaining({ status: 400 }),
    )
    expect(() => lists.hideUnknown({ ...query }, collection.slice(-1000))).not.toThrow()
    expect(() => lists.hideUnknown({ author: '1', 'author.x': '1', f_ne: '1' }, collection)).not.toThrow()
  })

  it('counts no look for what no record has', () => {
    const large = Array.from({ length: 50_000 }, () => ({}))
    const query = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown${index}`, '1']))
    newLists().lists.hideUnknown(query, large)
    expect(Object.keys(query)).toEqual([])
  })
})
