import { CollectionIndex } from '../../../lib/json-server/collection-index'

function newIndex(collection: readonly unknown[], idProperty: string): CollectionIndex {
  return new CollectionIndex(collection, idProperty)
}

/** An index with a map, because it has looked at the records one by one for the first searches. */
function used(collection: readonly unknown[], idProperty: string): CollectionIndex {
  const index = newIndex(collection, idProperty)
  for (let search = 0; search < 10; search += 1) index.find('none')
  return index
}

describe.each([
  ['a new index', newIndex],
  ['a used index', used],
])('%s', (_name, lookUp) => {
  it.each([
    ['an empty collection', [], 1],
    ['ids in any order', [{ id: 3 }, { id: 7 }, { id: 2 }], 8],
    ['negative ids', [{ id: -7 }, { id: -3 }], -2],
    ['ids that are no integers', [{ id: 1.5 }], 2.5],
    ['records without an id', [{ name: 'x' }, { id: null }, null, 'text'], 1],
    ['ids that are texts', [{ id: 'a1b2' }], expect.stringMatching(/^[\w-]{7}$/)],
    ['ids of both kinds', [{ id: 1 }, { id: 'x' }], 2],
    ['a number that another record has as a text', [{ id: '8' }, { id: '10' }, { id: 9 }], 11],
  ])('gives the next id for %s', (_case, collection, next) => {
    expect(lookUp(collection, 'id').newId()).toEqual(next)
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

  it.each([3, '01', 'A1', 'undefined', undefined, null, [2, 1], 'toString', '__proto__', 'constructor'])(
    'finds nothing for %j',
    (id) => {
      expect(lookUp(records, 'id').find(id)).toBeUndefined()
    },
  )

  it('uses the given name of the id property', () => {
    const collection = [{ id: 1, _id: 5 }]
    const index = lookUp(collection, '_id')
    expect([index.find(5), index.find(1), index.newId()]).toEqual([collection[0], undefined, 6])
  })

  it('remembers twenty orders', () => {
    const collection = [{ id: 1 }]
    const index = lookUp(collection, 'id')
    const sorts: string[] = []
    const order = (key: string) =>
      index.sorted(key, () => {
        sorts.push(key)
        return [...collection]
      })
    const keys = Array.from({ length: 20 }, (_, key) => `${key}`)
    const first = order('0')
    for (const key of [...keys, ...keys]) order(key)
    expect([order('0'), sorts]).toEqual([first, keys])
    order('one more')
    expect(order('0')).not.toBe(first)
  })

  it('finds the first of several with one id', () => {
    const collection = [
      { id: 1, name: 'first' },
      { id: '1', name: 'second' },
    ]
    expect(lookUp(collection, 'id').find(1)).toBe(collection[0])
  })
})

it('knows a record that was added, or has replaced another', () => {
  const collection: Record<string, unknown>[] = [{ id: 1, title: 'a' }]
  const index = used(collection, 'id')
  const ids = (key: string) => index.sorted(key, () => [...collection]).map((record) => Object(record).id)
  expect([index.newId(), index.hasField('tea'), index.recordsWith('title', 'b'), ids('x')]).toEqual([
    2,
    false,
    [],
    [1],
  ])
  const added = { id: 5, tea: true, title: 'b' }
  collection.push(added)
  index.recordChanged(added)
  expect([index.newId(), index.find('5'), index.hasField('tea')]).toEqual([6, added, true])
  expect([index.recordsWith('title', 'b'), ids('x')]).toEqual([[added], [1, 5]])
  const replacement = { id: 1, title: 'c' }
  collection[0] = replacement
  index.recordChanged(replacement)
  expect([index.newId(), index.find(1), index.recordsWith('title', 'a')]).toEqual([6, replacement, []])
  const text = { id: 'x' }
  collection.push(text)
  index.recordChanged(text)
  expect([index.find('x'), index.newId()]).toEqual([text, 6])
})

it('looks at no record for the next id once it has given one', () => {
  let looks = 0
  const record = {
    get id() {
      looks += 1
      return 1
    },
  }
  const collection: Record<string, unknown>[] = [record]
  const index = used(collection, 'id')
  const added = { id: index.newId() }
  collection.push(added)
  index.recordChanged(added)
  looks = 0
  expect([index.newId(), looks]).toEqual([3, 0])
})
