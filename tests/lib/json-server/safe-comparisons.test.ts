import jsonServer from 'json-server'
import { safeComparisons } from '../../../lib/json-server/safe-comparisons'
import { sampleData } from '../../support/helpers'
import { json } from '../../support/requests'
import { testApps } from '../../support/test-app'

const { start } = testApps()

describe('safeComparisons', () => {
  const records = [
    { id: 1, name: 'b', value: { toString: 1, kept: 2 } },
    { id: 2, name: 'a', value: 'text' },
  ]

  function newLodash() {
    const { _ } = jsonServer.router({ records }, { foreignKeySuffix: 'Id' }).db
    _.mixin(safeComparisons(_))
    return _
  }

  it('shows predicates a copy without the field, and gives the records themselves', () => {
    const seen: unknown[] = []
    const found = newLodash().filter(records, (record: unknown) => {
      seen.push(record)
      return true
    })
    expect(seen).toEqual([{ id: 1, name: 'b', value: { kept: 2 } }, records[1]])
    expect(found).toEqual(records)
    expect(records[0]).toHaveProperty('value.toString', 1)
  })

  it('leaves predicates alone that are no functions', () => {
    expect(newLodash().filter(records, { name: 'a' })).toEqual([records[1]])
  })

  it('sorts by paths', () => {
    const lodash = newLodash()
    expect(lodash.orderBy(records, ['name'], ['asc'])).toEqual([records[1], records[0]])
    expect(lodash.orderBy(records, ['value', 'name'], ['asc'])).toHaveLength(2)
  })
})

describe('data that holds a field named toString', () => {
  const rows = [
    { id: 1, name: 'b', value: { toString: 1 } },
    { id: 2, name: 'a', value: { toString: 'x' } },
    { id: 3, name: 'c', value: 'text' },
  ]

  it.each([
    ['/rows?name=a', [2]],
    ['/rows?value=text', [3]],
    ['/rows?value_ne=text', [1, 2]],
    ['/rows?q=text', [3]],
    ['/rows?_sort=name', [2, 1, 3]],
    ['/rows?_sort=value&_order=desc', undefined],
    ['/rows?value_gte=a', undefined],
  ])('still answers GET %s', async (path, ids) => {
    const app = await start({ data: { ...sampleData(), rows: structuredClone(rows) } })
    const answer = await app.send('GET', path)
    expect(answer.status).toBe(200)
    if (ids !== undefined) {
      const expected = ids.map((id) => rows[id - 1])
      expect(json(answer)).toEqual(expected)
    }
  })
})
