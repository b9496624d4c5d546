import { CollectionFunctions } from '../../../lib/json-server/collection-functions'

function newFunctions(idProperty = 'id') {
  const onChange = jest.fn()
  const functions = new CollectionFunctions({ idProperty, createId: () => 'made', onChange })
  /** Calls a function by the name under which the router's lodash knows it. */
  function call(name: string, ...args: unknown[]): unknown {
    const mixin: unknown = Reflect.get(functions.mixins(), name)
    if (typeof mixin !== 'function') throw new Error(`There is no function "${name}".`)
    return mixin(...args)
  }
  return { functions, call, onChange }
}

describe('insert', () => {
  it.each([
    ['gives the next number', [{ id: 4 }], { name: 'new' }, { name: 'new', id: 5 }],
    ['gives an id of its own beside texts', [{ id: 'a' }], { name: 'new' }, { name: 'new', id: 'made' }],
    ['keeps an id', [{ id: 4 }], { id: 'mine' }, { id: 'mine' }],
    ['takes an empty id for none', [{ id: 4 }], { id: '' }, { id: 5 }],
    ['takes null for none', [{ id: 4 }], { id: null }, { id: 5 }],
  ])('%s', (_case, collection: unknown[], record, expected) => {
    const { call } = newFunctions()
    expect(call('insert', collection, record)).toEqual(expected)
    expect(collection).toEqual([collection[0], expected])
  })

  it.each([4, '4'])('refuses the id %j, which is taken', (id) => {
    const { call } = newFunctions()
    const collection = [{ id: 4 }]
    expect(() => call('insert', collection, { id })).toThrow(expect.objectContaining({ status: 409 }))
    expect(collection).toEqual([{ id: 4 }])
  })
})

describe('updateById and replaceById', () => {
  it('update changes fields, and never the id', () => {
    const { call, onChange } = newFunctions()
    const record = { id: 1, a: 1, b: 2 }
    expect(call('updateById', [record], '1', { b: 3, id: 9 })).toBe(record)
    expect(record).toEqual({ id: 1, a: 1, b: 3 })
    expect(onChange).toHaveBeenCalledWith(record)
  })

  it.each([[{ id: 1, a: 1, b: 2 }], [{ id: 1, a: 1, length: 2 }]])(
    'replace leaves nothing of %j but its id',
    (record) => {
      const { call, onChange } = newFunctions()
      expect(call('replaceById', [record], '1', { c: 3, id: 9 })).toBe(record)
      expect(record).toEqual({ id: 1, c: 3 })
      expect(onChange).toHaveBeenCalledWith(record)
    },
  )

  it.each(['updateById', 'replaceById'])('%s of a missing id changes nothing', (name) => {
    const { call, functions, onChange } = newFunctions()
    const collection = [{ id: 1 }]
    expect(call(name, collection, '2', { a: 1 })).toBeUndefined()
    expect(collection).toEqual([{ id: 1 }])
    expect(functions.settle()).toBe(false)
    expect(onChange).not.toHaveBeenCalled()
  })
})

describe('removeById and getRemovable', () => {
  const sample = () => ({
    posts: [{ id: 1 }, { id: '2' }, { id: 3 }],
    comments: [
      { id: 1, postId: 1 },
      { id: 2, postId: '1' },
      { id: 3, postId: 3 },
      { id: 4, postId: 99 },
      { id: 5, postId: null },
      { id: 6 },
    ],
    likes: [{ id: 1, postId: 1, commentId: 77 }],
    profile: { postId: 1 },
  })

  it('gives exactly the records that refer to the one just removed', () => {
    const { call } = newFunctions()
    const data = sample()
    expect(call('removeById', data.posts, '1')).toEqual({ id: 1 })
    expect(data.posts).toEqual([{ id: '2' }, { id: 3 }])
    expect(call('getRemovable', data, { foreignKeySuffix: 'Id' })).toEqual([
      { name: 'comments', id: 1 },
      { name: 'comments', id: 2 },
      { name: 'likes', id: 1 },
    ])
  })

  it('gives nothing when nothing was removed, also after a removal', () => {
    const { call } = newFunctions()
    const data = sample()
    call('removeById', data.posts, '1')
    expect(call('removeById', data.posts, '50')).toBeUndefined()
    expect(call('getRemovable', data, { foreignKeySuffix: 'Id' })).toEqual([])
  })

  it('takes the suffix of foreign keys and the name of the id property', () => {
    const { call } = newFunctions('_id')
    const data = {
      posts: [{ _id: 1 }],
      comments: [
        { _id: 7, post_fk: 1 },
        { _id: 8, postId: 1 },
      ],
    }
    call('removeById', data.posts, '1')
    expect(call('getRemovable', data, { foreignKeySuffix: '_fk' })).toEqual([{ name: 'comments', id: 7 }])
  })
})

describe('find', () => {
  it.each([
    ['a missing id', [{ id: 1 }], undefined],
    ['null', [{ id: 1 }], null],
    ['what is no collection', { id: 1 }, 1],
    ['nothing at all', undefined, 1],
  ])('finds nothing in or for %s', (_case, collection, id) => {
    expect(newFunctions().functions.find(collection, id)).toBeUndefined()
  })
})

describe('settle', () => {
  it('asks for a write after a change, and when nobody knows what was changed', () => {
    const { call, functions, onChange } = newFunctions()
    const collection = [{ id: 1 }]
    expect(functions.settle()).toBe(true)
    expect(onChange).toHaveBeenCalledWith()
    for (const change of [
      () => call('insert', collection, { a: 1 }),
      () => call('updateById', collection, '2', { a: 2 }),
      () => call('removeById', collection, '2'),
    ]) {
      change()
      expect(functions.settle()).toBe(true)
    }
    call('removeById', collection, '2')
    expect(functions.settle()).toBe(false)
  })
})
