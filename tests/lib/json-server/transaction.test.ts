import pluralize from 'pluralize'
import type { Data } from '../../../lib/data/valid-data'
import { Transaction } from '../../../lib/json-server/transaction'
import { frozen } from '../../support/data'

/** The data of one request over a state that nobody can change. */
function begin(
  state: Data,
  { idProperty = 'id', foreignKeySuffix = 'Id', isShared = false, cascade = true } = {},
) {
  const checkBody = () => {}
  const names = { idProperty, foreignKeySuffix }
  const options = { state: frozen(state), ...names, cascade, isShared, checkBody }
  const transaction = new Transaction(options)
  /** Calls a function of a collection by the name under which json-server's handlers know it. */
  function call(name: string, collection: string, ...args: unknown[]): unknown {
    const change: unknown = Reflect.get(transaction.get(collection), name)
    if (typeof change !== 'function') throw new Error(`There is no function "${name}".`)
    return change(...args).value()
  }
  return { transaction, call }
}

describe('insert', () => {
  it.each([
    ['gives the next number', [{ id: 4 }], { name: 'new' }, { name: 'new', id: 5 }],
    [
      'gives an id of its own beside strings',
      [{ id: 'a' }],
      { name: 'new' },
      { name: 'new', id: expect.stringMatching(/^[\w-]{7}$/) },
    ],
    ['keeps an id', [{ id: 4 }], { id: 'mine' }, { id: 'mine' }],
    ['takes an empty id for none', [{ id: 4 }], { id: '' }, { id: 5 }],
    ['takes null for none', [{ id: 4 }], { id: null }, { id: 5 }],
  ])('%s', (_case, posts: unknown[], record, expected) => {
    const { call, transaction } = begin({ posts })
    expect(call('insert', 'posts', record)).toEqual(expected)
    expect(transaction.state).toEqual({ posts: [posts[0], expected] })
    expect(posts).toHaveLength(1)
  })

  it.each([false, true])('gives no number that a record has as a string (shared: %s)', (isShared) => {
    const posts = [{ id: '8' }, { id: '10' }, { id: '11' }, { id: 9 }]
    const { call } = begin({ posts }, { isShared })
    const created = call('insert', 'posts', {})
    expect(created).toEqual({ id: 12 })
    expect(call('getById', 'posts', '12')).toBe(created)
  })

  const LARGEST = Number.MAX_SAFE_INTEGER

  it.each([LARGEST, LARGEST + 1])('gives no number beyond the safe integers beside %j and a text', (id) => {
    const { call, transaction } = begin({ posts: [{ id }, { id: 'a' }] })
    expect(() => call('insert', 'posts', {})).toThrow(expect.objectContaining({ status: 409 }))
    expect(transaction.hasChanges).toBe(false)
  })

  it.each([false, true])('goes up to the safe integers (shared: %s)', (isShared) => {
    const { call } = begin({ posts: [{ id: LARGEST - 1 }] }, { isShared })
    expect(call('insert', 'posts', {})).toEqual({ id: LARGEST })
    expect(() => call('insert', 'posts', {})).toThrow(expect.objectContaining({ status: 409 }))
  })

  it.each([4, '4'])('refuses the id %j, which is taken', (id) => {
    const { call, transaction } = begin({ posts: [{ id: 4 }] })
    expect(() => call('insert', 'posts', { id })).toThrow(expect.objectContaining({ status: 409 }))
    expect(transaction.hasChanges).toBe(false)
  })
})

describe('updateById and replaceById', () => {
  it('update changes fields, and never the id', () => {
    const { call, transaction } = begin({ posts: [{ id: 1, a: 1, b: 2 }] })
    const changed = call('updateById', 'posts', '1', { b: 3, id: 9 })
    expect(changed).toEqual({ id: 1, a: 1, b: 3 })
    expect(transaction.state).toEqual({ posts: [changed] })
  })

  it.each([[{ id: 1, a: 1, b: 2 }], [{ id: 1, a: 1, length: 2 }]])(
    'replace leaves nothing of %j but its id',
    (record) => {
      const { call, transaction } = begin({ posts: [record] })
      call('replaceById', 'posts', '1', { c: 3, id: 9 })
      expect(transaction.state).toEqual({ posts: [{ id: 1, c: 3 }] })
    },
  )

  it.each([false, true])('find the new record, and leave the old one alone (shared: %s)', (isShared) => {
    const state = {
      posts: [
        { id: 1, a: 1 },
        { id: 2, a: 1 },
      ],
      comments: [{ id: 1 }],
    }
    const { call, transaction } = begin(state, { isShared })
    call('updateById', 'posts', '2', { a: 2 })
    call('replaceById', 'posts', '1', { a: 3 })
    const [first, second] = [
      { id: 1, a: 3 },
      { id: 2, a: 2 },
    ]
    expect(transaction.state.posts).toEqual([first, second])
    expect(transaction.state.comments).toBe(state.comments)
    expect(['1', '2'].map((id) => call('getById', 'posts', id))).toEqual([first, second])
    expect(state.posts.map(({ a }) => a)).toEqual([1, 1])
  })

  it.each(['updateById', 'replaceById', 'removeById'])('%s of a missing id changes nothing', (name) => {
    const { call, transaction } = begin({ posts: [{ id: 1 }] })
    expect(call(name, 'posts', '2', { a: 1 })).toBeUndefined()
    expect(transaction.hasChanges).toBe(false)
  })
})

test('without a cascade, removeById removes nothing but the record', () => {
  const { call, transaction } = begin(
    { posts: [{ id: 1 }, { id: 2, postId: 1 }], comments: [{ id: 1, postId: 1 }] },
    { cascade: false },
  )
  call('removeById', 'posts', '1')
  expect(transaction.state).toEqual({ posts: [{ id: 2, postId: 1 }], comments: [{ id: 1, postId: 1 }] })
})

describe('removeById', () => {
  const sample = () => ({
    posts: [{ id: 1, postId: 1 }, { id: '2' }, { id: 3, postId: 1 }, { id: 4 }],
    comments: [
      { id: 1, postId: 1 },
      { id: 2, postId: '1' },
      { id: 3, postId: 3 },
      { id: 4, postId: 99 },
      { id: 5, postId: null },
      { id: 6 },
      { id: 7, postId: { toString: 1 } },
      { id: 8, postId: [1] },
      { postId: 1 },
      'no record',
    ],
    likes: [{ id: 1, postId: 1, commentId: 77 }],
    profile: { postId: 1 },
  })

  it.each([false, true])('also removes exactly what refers to the record (shared: %s)', (isShared) => {
    const { call, transaction } = begin(sample(), { isShared })
    const { comments } = sample()
    expect(call('getById', 'comments', 2)).toEqual(comments[1])
    expect(call('removeById', 'posts', '1')).toEqual({ id: 1, postId: 1 })
    expect(transaction.state).toEqual({
      posts: [{ id: '2' }, { id: 4 }],
      comments: [...comments.slice(2, 8), 'no record'],
      likes: [],
      profile: { postId: 1 },
    })
    expect(call('getById', 'comments', 2)).toBeUndefined()
    expect(call('getById', 'comments', 3)).toEqual(comments[2])
    expect(call('getById', 'posts', 3)).toBeUndefined()
  })

  it.each([false, true])(
    'keeps what still refers to a record with the same digits (shared: %s)',
    (isShared) => {
      const comments = [
        { id: 1, postId: 1 },
        { id: 2, postId: '1' },
      ]
      const { call, transaction } = begin({ posts: [{ id: 1 }, { id: '1' }], comments }, { isShared })
      call('removeById', 'posts', '1')
      expect(transaction.state).toEqual({ posts: [{ id: '1' }], comments })
      call('removeById', 'posts', '1')
      expect(transaction.state).toEqual({ posts: [], comments: [] })
    },
  )

  it('removes the first of two records with one id', () => {
    const posts = [
      { id: 1, title: 'first' },
      { id: 1, title: 'second' },
    ]
    const { call, transaction } = begin({ posts })
    call('removeById', 'posts', '1')
    expect(transaction.state).toEqual({ posts: [{ id: 1, title: 'second' }] })
  })

  it('uses the given suffix of foreign keys and name of the id property', () => {
    const state = {
      posts: [{ _id: 1 }],
      comments: [
        { _id: 7, post_fk: 1 },
        { _id: 8, postId: 1 },
      ],
    }
    const { call, transaction } = begin(state, { idProperty: '_id', foreignKeySuffix: '_fk' })
    call('removeById', 'posts', '1')
    expect(transaction.state).toEqual({ posts: [], comments: [{ _id: 8, postId: 1 }] })
  })

  it('keeps the record in another collection that also holds it', () => {
    const record = { id: 1 }
    const { call, transaction } = begin({ posts: [record], drafts: [record] })
    call('removeById', 'posts', '1')
    expect(transaction.state).toEqual({ posts: [], drafts: [record] })
  })

  it('removes more records than a function can have arguments', () => {
    const comments = Array.from({ length: 150_000 }, (_, id) => ({ id, postId: 1 }))
    const { call, transaction } = begin({ posts: [{ id: 1 }], comments })
    call('removeById', 'posts', 1)
    expect(transaction.state.comments).toEqual([])
  })

  it('looks for the plural of a foreign key once', () => {
    const looking = jest.spyOn(pluralize, 'plural')
    const comments = Array.from({ length: 50 }, (_, id) => ({ id, 'blog postId': 1 }))
    const { call, transaction } = begin({ 'blog posts': [{ id: 1 }], comments })
    call('removeById', 'blog posts', 1)
    expect(transaction.state.comments).toEqual([])
    expect(looking.mock.calls).toEqual([['blog post']])
    looking.mockRestore()
  })
})

test('a state is as it was after any change of it, and another one has the changes', () => {
  const state = {
    posts: [{ id: 1 }, { id: 2 }],
    comments: [{ id: 1, postId: 1 }, { id: 2, postId: 2 }, 'no record'],
    profile: { name: 'Ada' },
  }
  const { transaction, call } = begin(state)
  call('insert', 'posts', { title: 'new' })
  call('updateById', 'posts', '2', { title: 'changed' })
  call('replaceById', 'posts', '3', { title: 'replaced' })
  call('removeById', 'posts', '1')
  transaction.set('profile', { name: 'Bob' })
  expect(transaction.hasChanges).toBe(true)
  expect(transaction.state).toEqual({
    posts: [
      { id: 2, title: 'changed' },
      { id: 3, title: 'replaced' },
    ],
    comments: [{ id: 2, postId: 2 }, 'no record'],
    profile: { name: 'Bob' },
  })
  const later = begin(state)
  expect(later.call('insert', 'posts', {})).toEqual({ id: 3 })
  expect(state.posts).toHaveLength(2)
})

test('nothing is remembered of data that other code may change by hand', () => {
  const posts: unknown[] = [{ id: 1 }, { id: 2 }]
  const find = (isShared: boolean) => {
    const names = { idProperty: 'id', foreignKeySuffix: 'Id' }
    const options = { state: { posts }, ...names, cascade: true, isShared }
    const transaction = new Transaction({ ...options, checkBody: () => {} })
    return Reflect.get(transaction.get('posts'), 'getById')(3).value()
  }
  // More often than records are looked for one by one.
  for (let search = 0; search < 12; search += 1) expect(find(true)).toBeUndefined()
  posts.push({ id: 3 })
  expect(find(true)).toEqual({ id: 3 })
})
