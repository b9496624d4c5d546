import jsonServer from 'json-server'
import { boundedFilter } from '../../../../lib/json-server/lists/bounded-filter'
import { CurrentSearch } from '../../../../lib/json-server/lists/search'

const records = [{ text: `${'a'.repeat(40)}!` }, { text: 'b' }]
const profile = { records }

const endless = ({ text }: { text: string }) => /^(a+)+$/.test(text)
const tea = { title_like: 'tea' }

const { _: lodash } = jsonServer.router({}, { foreignKeySuffix: 'Id' }).db
const search = new CurrentSearch()
const filter = boundedFilter(lodash.filter, search)

/** An error 400 whose message says this. */
function refused(says: string) {
  return expect.objectContaining({ status: 400, message: expect.stringContaining(says) })
}

/** What `filter` gives while a request with this query is handled. */
function filterFor(query: object, collection: unknown, predicate: unknown): unknown {
  let found: unknown
  search.during(query, () => {
    found = filter(collection, predicate)
  })
  return found
}

describe('boundedFilter', () => {
  it.each([{}, tea])('filters as before (for the query %j)', (query) => {
    expect(filterFor(query, records, { text: 'b' })).toEqual([records[1]])
    const predicate = ({ text }: { text: string }) => text.endsWith('!')
    expect(filterFor(query, records, predicate)).toEqual([records[0]])
    expect(filterFor(query, [], endless)).toEqual([])
  })

  it.each([{}, tea])('finds nothing in what is no array (for the query %j)', (query) => {
    expect(filterFor(query, { length: Number.MAX_SAFE_INTEGER }, { text: 'b' })).toEqual([])
    expect(filterFor(query, profile, () => true)).toEqual([])
    expect(filterFor(query, undefined, { text: 'b' })).toEqual([])
    expect(filterFor(query, 'text', () => true)).toEqual([])
  })

  it('stops a regular expression that takes too long, and works again for the next request', () => {
    expect(() => filterFor(tea, records, endless)).toThrow(expect.objectContaining({ status: 400 }))
    const predicate = ({ text }: { text: string }) => text === 'b'
    expect(filterFor(tea, records, predicate)).toEqual([records[1]])
  })

  it.each([
    ['a regular expression beside another filter', { text_like: '^(a+)+$', text: 'b' }],
    ['many values of an operator', { text_ne: Array.from({ length: 21 }, String) }],
    ['many filters', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`text${index}_gte`, '1']))],
    ['many values at the end of a path', { 'text.length': Array.from({ length: 21 }, String) }],
  ])('stops %s that take too long', (_case, query) => {
    expect(() => filterFor(query, records, endless)).toThrow(refused('take too long'))
  })

  it('stops to compare two long lists, each value with each', () => {
    const list = Array.from({ length: 200_000 }, (_, index) => index)
    const compare = () => filterFor({}, [{ text: list }], { text: list.toReversed() })
    expect(compare).toThrow(expect.objectContaining({ status: 400 }))
  })

  it.each([
    { error: new RangeError('Maximum call stack size exceeded'), says: 'nested too deeply: simplify it' },
    { error: new SyntaxError('Invalid regular expression'), says: 'put a backslash before' },
  ])('explains why a regular expression cannot be run: it is $says', ({ error, says }) => {
    const failing = () => {
      throw error
    }
    expect(() => filterFor(tea, records, failing)).toThrow(refused(says))
  })

  it('does not count the time in which the machine is busy with something else', () => {
    let isAsleep = false
    const sleepy = ({ text }: { text: string }) => {
      if (!isAsleep) {
        isAsleep = true
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
      }
      return text === 'b'
    }
    expect(filterFor(tea, records, sleepy)).toEqual([records[1]])
  })

  it.each([{}, tea])('filters once for one chain (for the query %j)', (query) => {
    const predicate = jest.fn(({ text }: { text: string }) => text === 'b')
    search.during(query, () => {
      const found = filter(records, predicate)
      expect(filter(records, predicate)).toBe(found)
      expect(predicate).toHaveBeenCalledTimes(records.length)
      expect(filter([...records], predicate)).toEqual(found)
      expect(predicate).toHaveBeenCalledTimes(2 * records.length)
    })
  })

  it.each([{}, tea])('passes on what a predicate throws (for the query %j)', (query) => {
    const error = new Error('no luck')
    const failing = () => {
      throw error
    }
    expect(() => filterFor(query, records, failing)).toThrow(error)
  })
})
