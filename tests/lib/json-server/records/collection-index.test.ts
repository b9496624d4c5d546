import { CollectionIndex } from '../../../../lib/json-server/records/collection-index'

/** An index that has looked at the records one by one, as it does for the first. */
function used(collection: readonly unknown[], idProperty: string): CollectionIndex {
  const index = CollectionIndex.of(collection, idProperty)
  for (const id of ['none', 'none']) index.find(id)
  return index
}

describe.each([
  ['a new index', CollectionIndex.of],
  ['a used index', used],
])('%s', (_name, lookUp) => {
  it.each([
    ['an empty collection', [], 1],
    ['ids in any order', [{ id: 3 }, { id: 7 }, { id: 2 }], 8],
    ['negative ids', [{ id: -7 }, { id: -3 }], -2],
    ['ids that are no integers', [{ id: 1.5 }], 2.5],
    ['records without an id', [{ name: 'x' }, null, 'text'], 1],
    ['ids that are texts', [{ id: 'a1b2' }], undefined],
    ['ids of both kinds', [{ id: 1 }, { id: '2' }], undefined],
  ])('gives the next id for %s', (_case, collection, next) => {
    expect(lookUp(collection, 'id').nextId()).toBe(next)
  })

  const records = [
    { id: 1 },
    { id: 'a1' },
    { id: '2' },
    { id: true },
    { id: '' },
    { id: { deep: 1 } },
    {},
    null,
    'text',
  ]

  it.each([
    [1, 0],
    ['1', 0],
    ['a1', 1],
    [2, 2],
    ['2', 2],
    ['true', 3],
    ['', 4],
    [[1], 0],
    ['[object Object]', 5],
    [{ other: 1 }, 5],
  ])('finds %j as json-server does: as a string', (id, position) => {
    expect(lookUp(records, 'id').find(id)).toBe(records[position])
  })

  it.each([
    3,
    '01',
    'A1',
    'undefined',
    undefined,
    null,
    [2, 1],
    { toString: 1 },
    'toString',
    '__proto__',
    'constructor',
  ])('finds nothing for %j', (id) => {
    expect(lookUp(records, 'id').find(id)).toBeUndefined()
  })

  it('uses the given name of the id property', () => {
    const collection = [{ id: 1, _id: 5 }]
    const index = lookUp(collection, '_id')
    expect([index.find(5), index.find(1), index.nextId()]).toEqual([collection[0], undefined, 6])
  })

  it('keeps four orders', () => {
    const collection = [{ id: 1 }]
    const index = lookUp(collection, 'id')
    const sorts: string[] = []
    const order = (key: string) =>
      index.order(key, () => {
        sorts.push(key)
        return [...collection]
      })
    const first = order('a')
    for (const key of ['b', 'c', 'd', 'a', 'b']) order(key)
    expect([order('a'), sorts]).toEqual([first, ['a', 'b', 'c', 'd']])
    expect(order('a')).toBe(first)
    order('e')
    expect(order('a')).toBe(first)
    order('c')
    expect(sorts).toEqual(['a', 'b', 'c', 'd', 'e', 'c'])
  })

  it('finds the first of several with one id', () => {
    const collection = [
      { id: 1, name: 'first' },
      { id: '1', name: 'second' },
    ]
    expect(lookUp(collection, 'id').find(1)).toBe(collection[0])
  })
})

it('has one index for each collection, for every caller', () => {
  const collection = [{ id: 1, key: 'a' }]
  const index = CollectionIndex.of(collection, 'id')
  expect(CollectionIndex.of(collection, 'id')).toBe(index)
  expect(CollectionIndex.of([...collection], 'id')).not.toBe(index)
  const byKey = CollectionIndex.of(collection, 'key')
  expect(byKey.find('a')).toBe(collection[0])
})

it('knows nothing any more of a collection that was changed', () => {
  const collection: unknown[] = [{ id: 1 }, { id: 5 }]
  const index = used(collection, 'id')
  expect([index.find(5), index.nextId()]).toEqual([collection[1], 6])
  collection.splice(1, 1, { id: 'x' })
  CollectionIndex.forget(collection)
  const now = used(collection, 'id')
  expect([now.find(5), now.find('x'), now.nextId()]).toEqual([undefined, collection[1], undefined])
})
