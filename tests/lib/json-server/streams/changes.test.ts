import { changesBetween, changesOfAll } from '../../../../lib/json-server/streams/changes'

const ONE = { id: 1, text: 'one' }
const TWO = { id: 2, text: 'two' }
const TEXT = { id: '2', text: 'two' }
const WITHOUT_ID = { text: 'three' }

/** Changes in the form `created 1`. */
function shown(before: unknown, after: unknown): string[] | undefined {
  return changesBetween(before, after, 'id')?.map(({ kind, record }) => `${kind} ${Object(record).id}`)
}

test.each<{ what: string; before: unknown; after: unknown; changes: string[] | undefined }>([
  { what: 'the same list', before: [ONE], after: [ONE], changes: [] },
  { what: 'the same records in other objects', before: [ONE], after: [{ ...ONE }], changes: [] },
  { what: 'another order', before: [ONE, TWO], after: [TWO, ONE], changes: [] },
  { what: 'a new record', before: [ONE], after: [ONE, TWO], changes: ['created 2'] },
  { what: 'one that is gone', before: [ONE, TWO], after: [TWO], changes: ['deleted 1'] },
  { what: 'another field', before: [ONE, TWO], after: [{ ...ONE, n: 1 }, TWO], changes: ['updated 1'] },
  {
    what: 'all at once',
    before: [ONE, TWO],
    after: [{ id: 3 }, { id: 1 }],
    changes: ['deleted 2', 'created 3', 'updated 1'],
  },
  { what: 'an id of another type', before: [TWO], after: [TEXT], changes: ['deleted 2', 'created 2'] },
  { what: 'a record that comes', before: undefined, after: ONE, changes: ['created 1'] },
  { what: 'a record that goes', before: ONE, after: undefined, changes: ['deleted 1'] },
  { what: 'a record without an id', before: [ONE], after: [ONE, WITHOUT_ID], changes: undefined },
  { what: 'one beside it', before: [WITHOUT_ID], after: [WITHOUT_ID, ONE], changes: ['created 1'] },
  { what: 'texts', before: ['a'], after: ['a', 'b'], changes: undefined },
  { what: 'an object', before: { a: 1 }, after: { a: 2 }, changes: undefined },
  { what: 'the same object again', before: { a: 1 }, after: { a: 1 }, changes: [] },
  { what: 'an id that two have', before: [], after: [ONE, ONE], changes: undefined },
])('$what', ({ before, after, changes }) => {
  expect(shown(before, after)).toEqual(changes)
})

test('another name of the id', () => {
  expect(changesBetween([], [{ _id: 1 }], '_id')).toEqual([{ kind: 'created', record: { _id: 1 } }])
})

test.each([
  {
    what: 'a change of each of two resources',
    before: { posts: [ONE], tags: [] },
    after: { posts: [], tags: [TWO] },
    changes: [
      { kind: 'deleted', record: { posts: ONE } },
      { kind: 'created', record: { tags: TWO } },
    ],
  },
  {
    what: 'a resource that comes',
    before: { posts: [] },
    after: { posts: [], tags: [] },
    changes: undefined,
  },
  { what: 'one in the place of another', before: { posts: [] }, after: { tags: [] }, changes: undefined },
  {
    what: 'a list that becomes an object',
    before: { posts: [ONE] },
    after: { posts: ONE },
    changes: undefined,
  },
  { what: 'an object', before: { me: { a: 1 } }, after: { me: { a: 2 } }, changes: undefined },
])('of all data: $what', ({ before, after, changes }) => {
  expect(changesOfAll(before, after, 'id')).toEqual(changes)
})
