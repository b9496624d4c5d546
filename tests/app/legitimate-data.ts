import type { Data } from '../../lib/data/valid-data'
import { ADA } from '../support/data'

/** Data without dangling foreign keys: on those, json-server and we differ on purpose. */
export function data(): Data {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    users: [
      { id: 1, name: 'Ada', ...ADA },
      { id: 2, name: 'Grace', email: 'grace@example.com', password: 'hopper' },
    ],
    posts: [
      post(1, { title: 'Hello world', views: 100, userId: 1, tags: ['a', 'b'], published: true }),
      post(2, { title: 'world of tea', views: 200, userId: 1, tags: [], published: false }),
      post(3, { title: 'Tōkyō, 東京 🍵', views: 200, userId: 2, author: { name: 'Zoë' } }),
      post(4, { title: 'C++ & (parens) [brackets]', views: 9, userId: 2, rating: 4.5, note: null }),
      post(10, { title: '', views: 1000, userId: 2, date: '2026-01-02', length: 3 }),
    ],
    comments: Array.from({ length: 23 }, (_, index) => ({
      id: index + 1,
      body: `comment ${index + 1} ${'!'.repeat(index % 4)}`,
      postId: (index % 4) + 1,
      userId: (index % 2) + 1,
    })),
    tags: ['a1b2', 'A1B2', 'with space', 'ünï', 'a/b', '1', '100%'].map((id) => ({ id, label: `tag ${id}` })),
    labels: [
      { id: 1, tagId: 'a1b2', text: 'tea' },
      { id: 2, tagId: '1', text: 'one' },
    ],
    things: [
      { id: 0, length: 2, 'a.b': 'dotted', constructor: 'ordinary' },
      { id: -5, length: 0, name: null, name_is: 'set', list_has: 'x', list: [{ name: 'deep' }, [1, [2]]] },
      { id: 2.5, length: 'long', name: 'half', flag: false, count: 0 },
      { name: 'without an id' },
    ],
    mixed: [{ id: 1, n: 'x' }, { id: 'b', n: 'y' }, { id: '3' }],
    empty: [],
    // These two characters end a line in a script, but not in JSON.
    words: ['tea', 'Kaffee', 'Tōkyō', 'a\u2028b\u2029c\u2028d', 'e\u2029f'],
    'read-me': [{ id: 7, text: 'dash' }],
    profile: { name: 'typicode', length: 4 },
    settings: { theme: { dark: true }, list: [1, 2] },
    nothing: {},
  }
}

function post(id: number, fields: object): object {
  return { id, author: { name: 'typicode', address: { city: `City ${id}` } }, ...fields }
}

/** Data with another id property and another foreign key suffix. */
export function otherData(): Data {
  return {
    posts: ['One', 'Two', 'Three'].map((title, index) => ({ _id: index + 1, title })),
    comments: [1, 2, 1].map((parent, index) => ({
      _id: index + 1,
      post_id: parent,
      body: `number ${index}`,
    })),
    tags: [{ _id: 'a1b2', label: 'tea' }],
    labels: [{ _id: 1, tag_id: 'a1b2' }],
  }
}

export const rewriteRules = {
  '/api/*': '/$1',
  '/blog/:id': '/posts/:id',
  '/:resource/:id/show': '/:resource/:id',
  '/search/:word': '/posts?q=:word',
  '/articles\\?id=:id': '/posts/:id',
  '/tagged/:tag': '/posts?tags[0]=:tag',
  '/newest': '/posts?_sort=id&_order=desc&_limit=2',
}
