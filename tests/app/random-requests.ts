import fc from 'fast-check'
import type { Data } from '../../lib/data/valid-data'
import type { Question } from '../support/http'

/** A record that is never removed, because json-server removes records that refer to nothing. */
const PARENT = 9

/** The data for {@link requests}. */
export function changedData(): Data {
  return {
    posts: Array.from({ length: PARENT }, (_, index) => ({
      id: index + 1,
      title: `title ${(index * 5) % 7}`,
      views: (index * 7) % 4,
      author: { name: `author ${index % 3}` },
    })),
    comments: Array.from({ length: 12 }, (_, index) => ({
      id: index + 1,
      title: `${index % 5}`,
      views: index,
      postId: (index % PARENT) + 1,
    })),
  }
}

const name = fc.constantFrom('posts', 'comments')

/** Fields whose values sometimes make sorting and filtering depend on lodash's rules. */
const fields = fc.record(
  {
    title: fc.oneof(
      { arbitrary: fc.constantFrom('', 'a', 'B', 'title 3', 'é', '10', '9'), weight: 6 },
      fc.constantFrom(null, 5),
    ),
    views: fc.oneof({ arbitrary: fc.integer({ min: -2, max: 5 }), weight: 6 }, fc.constant('3')),
    author: fc.record({ name: fc.constantFrom('author 1', 'Zoë') }),
    _page: fc.constantFrom(1, '2'),
  },
  { requiredKeys: ['title'] },
)

/** Each id is sent at most once, because json-server fails on an id that exists. */
let lastId = 0

/** Any change. */
const write: fc.Arbitrary<Question> = fc
  .oneof(
    fc.record({ method: fc.constant('POST'), path: name.map((of) => `/${of}`), body: fields }),
    fc.record({
      method: fc.constant('POST'),
      path: name.map((of) => `/${of}`),
      body: fields.map((body) => {
        lastId -= 1
        return { ...body, id: lastId }
      }),
    }),
    fc.record({ method: fc.constant('POST'), path: fc.constant(`/posts/${PARENT}/comments`), body: fields }),
    fc.record({
      method: fc.constantFrom('PUT', 'PATCH'),
      path: fc.tuple(name, fc.integer({ min: 1, max: 14 })).map(([of, id]) => `/${of}/${id}`),
      body: fields,
    }),
    fc.record({
      method: fc.constant('DELETE'),
      path: fc.tuple(name, fc.integer({ min: 1, max: PARENT - 1 })).map(([of, id]) => `/${of}/${id}`),
    }),
  )
  .map(({ body, ...question }: { method: string; path: string; body?: object }) => ({
    ...question,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }))

const page = fc.constantFrom(
  '_page=1',
  '_page=2&_limit=3',
  '_page=1&_limit=2',
  '_page=4&_limit=2',
  '_page=1&_page=2',
  '_page=',
)
const slice = fc.constantFrom('_start=0&_end=4', '_start=2&_limit=3', '_limit=5', '_end=2', '_start=1')
const filter = fc.constantFrom(
  'views=3',
  'views_gte=2',
  'views_ne=1',
  'title_like=t',
  'title=a&title=B',
  'id=1&id=2&id=7&id=x&views=3&views=0',
  'author=1&author=%5Bobject%20Object%5D',
  'title=null&title=undefined&title=5',
  'author.name=author%201',
  'postId=9',
  'unknown=1',
  'unknown.name=1&title=a',
  'author.unknown=1',
  'length=5&_other=1',
  '_page_like=1',
  '_page_ne=2',
  'q=a',
  'id_lte=5',
)
const sort = fc
  .array(fc.constantFrom('title', 'views', 'id', 'author.name', 'unknown', '_page'), {
    minLength: 1,
    maxLength: 2,
  })
  .chain((paths) =>
    fc
      .constantFrom('', '&_order=asc', '&_order=desc', '&_order=DESC,asc', '&_order=asc,desc')
      .map((order) => `_sort=${paths.join()}${order}`),
  )
const rest = fc.constantFrom('callback=show', '_=1712', '_embed=comments')

function maybe(part: fc.Arbitrary<string>, freq: number): fc.Arbitrary<string> {
  return fc.option(part, { nil: '', freq })
}

/** A list, with or without sorting, filters and paging. */
const list: fc.Arbitrary<Question> = fc
  .tuple(name, maybe(sort, 3), fc.oneof(page, slice, fc.constant('')), maybe(filter, 1), maybe(rest, 1))
  .map(([of, ...parts]) => ({ path: `/${of}?${parts.filter((part) => part !== '').join('&')}` }))

/** Changes, with the same few lists between them: cached results must not survive a change. */
export const requests: fc.Arbitrary<Question[]> = fc
  .array(list, { minLength: 5, maxLength: 5 })
  .chain((lists) =>
    fc.array(fc.oneof({ arbitrary: fc.constantFrom(...lists), weight: 3 }, write), {
      minLength: 40,
      maxLength: 60,
    }),
  )
