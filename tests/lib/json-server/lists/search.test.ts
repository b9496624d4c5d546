import { CurrentSearch } from '../../../../lib/json-server/lists/search'

const query = { title: 'tea' }

it('belongs to one request, from its beginning to its end', () => {
  const current = new CurrentSearch()
  const seen: object[] = []
  current.during(query, () => {
    seen.push(current.get())
    current.during({}, () => seen.push(current.get()))
    seen.push(current.get())
  })
  const [search, inner, again] = seen
  expect(search).toHaveProperty('query', query)
  expect(again).toBe(search)
  expect(inner).not.toBe(search)
  expect(current.get()).not.toBe(search)
})

it('ends with a request that fails', () => {
  const current = new CurrentSearch()
  const error = new Error('no luck')
  const fail = () => {
    throw error
  }
  expect(() => current.during(query, fail)).toThrow(error)
  expect(current.get().query).toEqual({})
})

it('has one limit for all that a request does in it', () => {
  const current = new CurrentSearch()
  const endless = () => /^(a+)+$/.test(`${'a'.repeat(40)}!`)
  current.during(query, () => {
    const refused = expect.objectContaining({ status: 400 })
    expect(() => current.get().inTime(endless)).toThrow(refused)
    expect(() => current.get().inTime(() => true)).toThrow(refused)
  })
  expect(current.get().inTime(() => true)).toBe(true)
})

it('computes a result once for the same objects', () => {
  const current = new CurrentSearch()
  const [collection, parameter] = [[1], {}]
  const work = jest.fn(() => ({}))
  current.during(query, () => {
    const first = current.get().once(collection, parameter, work)
    expect(current.get().once(collection, parameter, work)).toBe(first)
    expect(current.get().once([1], parameter, work)).not.toBe(first)
    expect(current.get().once(collection, {}, work)).not.toBe(first)
  })
  expect(work).toHaveBeenCalledTimes(3)
})
