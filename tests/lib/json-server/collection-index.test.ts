import { CollectionIndex, hasField, recordsWith } from '../../../lib/json-server/collection-index'

function indexOf(collection: readonly unknown[], idProperty: string): CollectionIndex {
  return new CollectionIndex(collection, idProperty)
}

/** An index with a map, because it has looked at the records one by one for the first searches. */
function used(collection: readonly unknown[], idProperty: string): CollectionIndex {
  const index = indexOf(collection, idProperty)
  for (let search = 0; search < 10; search += 1) index.find('none')
  return index
}

describe.each([
  ['a new index', indexOf],
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

  it('finds the first of several with one id', () => {
    const collection = [
      { id: 1, name: 'first' },
      { id: '1', name: 'second' },
    ]
    expect(lookUp(collection, 'id').find(1)).toBe(collection[0])
  })
})

describe('an index that is handed on', () => {
  it('knows a record that was added, or has replaced another', () => {
    const [first, added, text] = [{ id: 1 }, { id: 5 }, { id: 'x' }]
    const collection = [first]
    expect(used(collection, 'id').newId()).toBe(2)
    const longer = [first, added]
    indexOf(collection, 'id').handOn(longer, added)
    expect([indexOf(longer, 'id').find('5'), indexOf(longer, 'id').newId()]).toEqual([added, 6])
    const replacement = { id: 1, title: 'c' }
    const changed = [replacement, added]
    indexOf(longer, 'id').handOn(changed, replacement)
    expect([indexOf(changed, 'id').find(1), indexOf(changed, 'id').newId()]).toEqual([replacement, 6])
    const longest = [replacement, added, text]
    indexOf(changed, 'id').handOn(longest, text)
    expect([indexOf(longest, 'id').find('x'), indexOf(longest, 'id').newId()]).toEqual([text, 6])
  })

  it('leaves the collection of before as it was, for a change that is not made', () => {
    const collection = [{ id: 1 }]
    const index = used(collection, 'id')
    index.handOn([{ id: 1 }, { id: 2 }], { id: 2 })
    expect([index.find(1), index.find(2), index.newId()]).toEqual([collection[0], undefined, 2])
  })

  it('looks at no record for the next id, nor for one', () => {
    let looks = 0
    const record = {
      get id() {
        looks += 1
        return 1
      },
    }
    const collection = [record]
    const added = { id: used(collection, 'id').newId() }
    const longer = [record, added]
    indexOf(collection, 'id').handOn(longer, added)
    looks = 0
    expect([indexOf(longer, 'id').newId(), indexOf(longer, 'id').find(2), looks]).toEqual([3, added, 0])
  })
})

test('a field, or the records with a value in one, are looked for once in a collection', () => {
  let looks = 0
  const record = {
    get title() {
      looks += 1
      return 'a'
    },
  }
  const collection = [record]
  expect(recordsWith(collection, 'title', 'a')).toEqual([record])
  looks = 0
  expect([recordsWith(collection, 'title', 'b'), looks]).toEqual([[], 0])
  expect(['title', 'tea', 'title.tea'].map((path) => hasField(collection, path))).toEqual([
    true,
    false,
    false,
  ])
  expect(hasField([{ author: { name: 'Ada' } }], 'author.name')).toBe(true)
})
