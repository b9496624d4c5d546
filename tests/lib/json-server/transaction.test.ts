import pluralize from 'pluralize'
import type { Data } from '../../../lib/data/valid-data'
import { indexesFor } from '../../../lib/json-server/collection-index'
import { Transaction } from '../../../lib/json-server/transaction'

/** The data of one request, whose indexes are of this request alone if the data is shared. */
function newChanges(state: Data, { idProperty = 'id', foreignKeySuffix = 'Id', isShared = false } = {}) {
  const checkBody = () => {}
  const transaction = new Transaction({
    state,
    idProperty,
    foreignKeySuffix,
    indexes: indexesFor(isShared),
    checkBody,
  })
  const nameOf = (collection: unknown) => Object.keys(state).find((name) => state[name] === collection) ?? ''
  /** Calls a function by the name under which json-server's handlers know it. */
  function call(name: string, collection: readonly unknown[], ...args: unknown[]): unknown {
    const change: unknown = Reflect.get(transaction.get(nameOf(collection)), name)
    if (typeof change !== 'function') throw new Error(`There is no function "${name}".`)
    return change(...args).value()
  }
  const find = (collection: readonly unknown[], id: unknown) => transaction.index(collection).find(id)
  return { transaction, call, find }
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
    const { call } = newChanges({ posts })
    expect(call('insert', posts, record)).toEqual(expected)
    expect(posts).toEqual([posts[0], expected])
  })

  it.each([false, true])('gives no number that a record has as a string (shared: %s)', (isShared) => {
    const posts = [{ id: '8' }, { id: '10' }, { id: '11' }, { id: 9 }]
    const { call, find } = newChanges({ posts }, { isShared })
    const created = call('insert', posts, {})
    expect(created).toEqual({ id: 12 })
    expect(find(posts, '12')).toBe(created)
  })

  const LARGEST = Number.MAX_SAFE_INTEGER

  it.each([LARGEST, LARGEST + 1])('gives no number beyond the safe integers beside %j and a text', (id) => {
    const posts = [{ id }, { id: 'a' }]
    const { call } = newChanges({ posts })
    expect(() => call('insert', posts, {})).toThrow(expect.objectContaining({ status: 409 }))
    expect(posts).toHaveLength(2)
  })

  it.each([4, '4'])('refuses the id %j, which is taken', (id) => {
    const posts = [{ id: 4 }]
    const { call } = newChanges({ posts })
    expect(() => call('insert', posts, { id })).toThrow(expect.objectContaining({ status: 409 }))
    expect(posts).toEqual([{ id: 4 }])
  })
})

it.each([false, true])('refuses to go beyond the safe integers (shared: %s)', (isShared) => {
  const posts = [{ id: Number.MAX_SAFE_INTEGER - 1 }]
  const { call } = newChanges({ posts }, { isShared })
  call('insert', posts, {})
  expect(() => call('insert', posts, {})).toThrow(
    expect.objectContaining({ status: 409, message: expect.stringMatching(/: send an id\.$/) }),
  )
  expect(posts).toHaveLength(2)
})

describe('updateById and replaceById', () => {
  it('update changes fields, and never the id', () => {
    const posts = [{ id: 1, a: 1, b: 2 }]
    const { call } = newChanges({ posts })
    expect(call('updateById', posts, '1', { b: 3, id: 9 })).toBe(posts[0])
    expect(posts).toEqual([{ id: 1, a: 1, b: 3 }])
  })

  it.each([[{ id: 1, a: 1, b: 2 }], [{ id: 1, a: 1, length: 2 }]])(
    'replace leaves nothing of %j but its id',
    (record) => {
      const posts: unknown[] = [record]
      const { call } = newChanges({ posts })
      expect(call('replaceById', posts, '1', { c: 3, id: 9 })).toBe(posts[0])
      expect(posts).toEqual([{ id: 1, c: 3 }])
    },
  )

  it.each([false, true])(
    'leave the record itself as it was, and find the new one (shared: %s)',
    (isShared) => {
      const [first, second] = [
        { id: 1, a: 1 },
        { id: 2, a: 1 },
      ]
      const posts: unknown[] = [first, second]
      const { call, find } = newChanges({ posts }, { isShared })
      call('updateById', posts, '2', { a: 2 })
      call('replaceById', posts, '1', { a: 3 })
      expect([first, second].map(({ a }) => a)).toEqual([1, 1])
      expect(posts).toEqual([
        { id: 1, a: 3 },
        { id: 2, a: 2 },
      ])
      expect([find(posts, '1'), find(posts, '2')]).toEqual(posts)
    },
  )

  it.each(['updateById', 'replaceById'])('%s of a missing id changes nothing', (name) => {
    const posts = [{ id: 1 }]
    const { call } = newChanges({ posts })
    expect(call(name, posts, '2', { a: 1 })).toBeUndefined()
    expect(posts).toEqual([{ id: 1 }])
  })
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
    const data = sample()
    const { call, find } = newChanges(data, { isShared })
    const { comments } = sample()
    expect(find(data.comments, 2)).toEqual(comments[1])
    expect(call('removeById', data.posts, '1')).toEqual({ id: 1, postId: 1 })
    expect(data).toEqual({
      posts: [{ id: '2' }, { id: 4 }],
      comments: [...comments.slice(2, 8), 'no record'],
      likes: [],
      profile: { postId: 1 },
    })
    expect(find(data.comments, 2)).toBeUndefined()
    expect(find(data.comments, 3)).toEqual(comments[2])
    expect(find(data.posts, 3)).toBeUndefined()
  })

  it.each([false, true])(
    'keeps what still refers to a record with the same digits (shared: %s)',
    (isShared) => {
      const comments = [
        { id: 1, postId: 1 },
        { id: 2, postId: '1' },
      ]
      const data = { posts: [{ id: 1 }, { id: '1' }], comments: [...comments] }
      const { call } = newChanges(data, { isShared })
      call('removeById', data.posts, '1')
      expect(data).toEqual({ posts: [{ id: '1' }], comments })
      call('removeById', data.posts, '1')
      expect(data).toEqual({ posts: [], comments: [] })
    },
  )

  it('removes the first of two records with one id', () => {
    const posts = [
      { id: 1, title: 'first' },
      { id: 1, title: 'second' },
    ]
    newChanges({ posts }).call('removeById', posts, '1')
    expect(posts).toEqual([{ id: 1, title: 'second' }])
  })

  it('changes nothing when there is no such record', () => {
    const data = sample()
    const { call } = newChanges(data)
    expect(call('removeById', data.posts, '50')).toBeUndefined()
    expect(data).toEqual(sample())
  })

  it('can be taken back when it fails on the way', () => {
    const unreadable = {
      get postId() {
        throw new Error('no value')
      },
    }
    const data = { ...sample(), notes: [unreadable] }
    const { call, transaction } = newChanges(data)
    expect(() => call('removeById', data.posts, '1')).toThrow('no value')
    transaction.rollBack()
    expect({ ...data, notes: [] }).toEqual({ ...sample(), notes: [] })
  })

  it('uses the given suffix of foreign keys and name of the id property', () => {
    const data = {
      posts: [{ _id: 1 }],
      comments: [
        { _id: 7, post_fk: 1 },
        { _id: 8, postId: 1 },
      ],
    }
    newChanges(data, { idProperty: '_id', foreignKeySuffix: '_fk' }).call('removeById', data.posts, '1')
    expect(data).toEqual({ posts: [], comments: [{ _id: 8, postId: 1 }] })
  })

  it('keeps the record in another collection that also holds it', () => {
    const record = { id: 1 }
    const data = { posts: [record], drafts: [record] }
    newChanges(data).call('removeById', data.posts, '1')
    expect(data).toEqual({ posts: [], drafts: [record] })
  })
})

describe('rollBack', () => {
  const sample = (): Data => ({
    posts: [{ id: 1 }, { id: 2 }],
    comments: [{ id: 1, postId: 1 }, { id: 2, postId: 2 }, 'no record'],
    profile: { name: 'Ada' },
  })

  it.each([false, true])('leaves everything as it was (shared: %s)', (isShared) => {
    const state = sample()
    const { posts, profile } = state
    if (!Array.isArray(posts)) throw new Error('There are no posts.')
    const records = [...posts]
    const { transaction, call, find } = newChanges(state, { isShared })
    expect(find(posts, 1)).toBe(records[0])
    call('insert', posts, { title: 'new' })
    call('updateById', posts, '2', { title: 'changed' })
    call('replaceById', posts, '3', { title: 'replaced' })
    call('removeById', posts, '1')
    transaction.set('profile', { name: 'Bob' })
    expect(state).toEqual({
      posts: [
        { id: 2, title: 'changed' },
        { id: 3, title: 'replaced' },
      ],
      comments: [{ id: 2, postId: 2 }, 'no record'],
      profile: { name: 'Bob' },
    })
    transaction.rollBack()
    expect(state).toEqual(sample())
    expect(state.profile).toBe(profile)
    expect(posts.map((post, position) => post === records[position])).toEqual([true, true])
    expect([1, 2, 3].map((id) => find(posts, id))).toEqual([records[0], records[1], undefined])
    expect(call('insert', posts, {})).toEqual({ id: 3 })
  })

  it('knows whether there was a change', () => {
    const state = sample()
    const { transaction, call } = newChanges(state)
    const { posts } = state
    if (!Array.isArray(posts)) throw new Error('There are no posts.')
    for (const name of ['updateById', 'replaceById', 'removeById']) call(name, posts, '9', {})
    expect(() => call('insert', posts, { id: 1 })).toThrow('exists')
    expect(transaction.hasChanges).toBe(false)
    call('insert', posts, {})
    expect(transaction.hasChanges).toBe(true)
  })
})

it('removes more records than a function can have arguments', () => {
  const comments = Array.from({ length: 300_000 }, (_, id) => ({ id, postId: id % 2 }))
  const data = { posts: [{ id: 1 }], comments: [...comments] }
  const { transaction, call } = newChanges(data)
  call('removeById', data.posts, 1)
  expect(data.comments).toHaveLength(150_000)
  transaction.rollBack()
  expect(data.comments).toEqual(comments)
})

test('the index of shared data is of one request alone', () => {
  const posts: unknown[] = [{ id: 1 }, { id: 2 }]
  for (const isShared of [false, true]) {
    const index = newChanges({ posts }, { isShared }).transaction.index(posts)
    expect(newChanges({ posts }, { isShared }).transaction.index(posts) === index).toBe(!isShared)
  }
})

test('the plural of a foreign key is looked for once', () => {
  const looking = jest.spyOn(pluralize, 'plural')
  const comments = Array.from({ length: 50 }, (_, id) => ({ id, 'blog postId': 1 }))
  const data = { 'blog posts': [{ id: 1 }], comments }
  newChanges(data).call('removeById', data['blog posts'], 1)
  expect(comments).toEqual([])
  expect(looking.mock.calls).toEqual([['blog post']])
  looking.mockRestore()
})
