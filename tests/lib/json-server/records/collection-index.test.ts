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

  it('keeps four orders, until a change', () => {
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
    index.replaced({ id: 1 })
    order('a')
    index.added({ id: 2 })
    order('a')
    index.clear()
    order('a')
    expect(sorts.slice(6)).toEqual(['a', 'a', 'a'])
  })

  it('follows the changes that it is told of', () => {
    const collection: Record<string, unknown>[] = [{ id: 1 }, { id: 5 }]
    const index = lookUp(collection, 'id')
    const added = { id: 9 }
    collection.push(added)
    index.added(added)
    expect([index.find(9), index.nextId()]).toEqual([added, 10])
    collection.pop()
    index.clear()
    expect([index.find(9), index.nextId()]).toEqual([undefined, 6])
  })

  it('gives the id after the largest, whichever ids are added', () => {
    const collection: Record<string, unknown>[] = [{ id: 5 }]
    const index = lookUp(collection, 'id')
    const nextIds = [index.nextId()]
    for (const id of [2, 6, 7, 20, 9, 'x']) {
      const added = { id }
      collection.push(added)
      index.added(added)
      nextIds.push(index.nextId())
    }
    expect(nextIds).toEqual([6, 6, 7, 8, 21, 21, undefined])
  })

  it('finds a record that took the place of another before anybody looked for it', () => {
    const record = { id: 1 }
    const index = lookUp([record], 'id')
    index.replaced(record)
    expect(index.find(1)).toBe(record)
  })

  it('counts string ids that are added and removed', () => {
    const collection: Record<string, unknown>[] = [{ id: 1 }]
    const index = lookUp(collection, 'id')
    const text = { id: 'x' }
    collection.push(text)
    index.added(text)
    expect(index.nextId()).toBeUndefined()
    collection.pop()
    index.clear()
    expect(index.nextId()).toBe(2)
  })

  it('finds the first of several with one id, and the next one after its removal', () => {
    const [first, second] = [
      { id: 1, name: 'first' },
      { id: '1', name: 'second' },
    ]
    const collection: Record<string, unknown>[] = [first, second]
    const index = lookUp(collection, 'id')
    expect(index.find(1)).toBe(first)
    const replacement = { ...first, name: 'changed' }
    collection[0] = replacement
    index.replaced(replacement)
    expect(index.find('1')).toBe(replacement)
    collection.shift()
    index.clear()
    expect(index.find(1)).toBe(second)
    expect(index.nextId()).toBeUndefined()
    collection.shift()
    index.clear()
    expect([index.find(1), index.nextId()]).toEqual([undefined, 1])
  })

  it('still finds the first of several after another is removed', () => {
    const [first, second] = [{ id: 1 }, { id: 1 }]
    const collection: Record<string, unknown>[] = [first, second]
    const index = lookUp(collection, 'id')
    collection.pop()
    index.clear()
    expect(index.find(1)).toBe(first)
  })
})

it('has one index for each collection, for every caller', () => {
  const collection = [{ id: 1, key: 'a' }]
  const index = CollectionIndex.of(collection, 'id')
  expect(CollectionIndex.of(collection, 'id')).toBe(index)
  expect(CollectionIndex.of([...collection], 'id')).not.toBe(index)
  const byKey = CollectionIndex.of(collection, 'key')
  expect(byKey.find('a')).toBe(collection[0])
  const added = { id: 2, key: 'b' }
  collection.push(added)
  byKey.added(added)
  expect(CollectionIndex.of(collection, 'id').find(2)).toBe(added)
})

it('finds the others after records with the same id, or without one, are removed', () => {
  const [first, second, third] = [{ id: 1 }, { id: 1, name: 'second' }, { id: 1, name: 'third' }]
  const [without, last]: Record<string, unknown>[] = [{ name: 'without' }, { id: 'undefined' }]
  const collection: unknown[] = [first, without, second, third, last]
  const index = CollectionIndex.of(collection, 'id')
  expect(index.find(1)).toBe(first)
  collection.splice(0, 3)
  index.clear()
  expect([index.find(1), index.find('undefined')]).toEqual([third, last])
})
