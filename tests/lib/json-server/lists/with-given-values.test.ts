import { withGivenValues } from '../../../../lib/json-server/lists/with-given-values'

const records = [{ id: 1, a: 'x' }, { id: '2', a: null }, { id: 3 }, 'text', ['list']]
const [one, two, three, ...others] = records

it.each([
  { title: 'a value that is given once', query: { id: '1' }, left: records },
  { title: 'several values', query: { id: ['1', '2', '9'] }, left: [one, two, ...others] },
  { title: 'several fields', query: { id: ['1', '3'], a: ['x', 'y'] }, left: [one, ...others] },
  { title: 'null and a missing value', query: { a: ['null', 'undefined'] }, left: [two, three, ...others] },
  {
    title: 'a comparison',
    query: { id_ne: ['1', '2'], id_gte: ['1', '2'], a_like: ['x', 'y'] },
    left: records,
  },
  { title: 'a way through several fields', query: { 'a.b': ['x', 'y'] }, left: records },
  { title: 'what is no filter', query: { callback: ['x', 'y'], _: ['1', '2'] }, left: records },
])('keeps the records that json-server may find for $title', ({ query, left }) => {
  expect(withGivenValues(records, query)).toEqual(left)
})
