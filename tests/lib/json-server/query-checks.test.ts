import { comparisonOf, isOfJsonServer } from '../../../lib/json-server/query-checks'

test.each([
  ['views_gte', 'views', 'gte'],
  ['to.first_name_like', 'to.first_name', 'like'],
  ['name_startsWith', 'name', 'startsWith'],
  ['first_name', 'first', 'name'],
  ['name', 'name', ''],
  ['name_', 'name_', ''],
  ['name_2', 'name_2', ''],
])('%s asks of the field %s what %j means', (parameter, field, operator) => {
  expect(comparisonOf(parameter)).toEqual({ field, operator })
})

test('an ending of json-server is one in lower case alone', () => {
  for (const name of ['name_like', 'name_LIKE', 'name_Like'])
    expect(isOfJsonServer(comparisonOf(name).operator)).toBe(name === 'name_like')
})
