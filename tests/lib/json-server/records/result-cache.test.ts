import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ResultCache } from '../../../../lib/json-server/records/result-cache'

/** A cache whose results are objects, so that a cached one can be told from a new one. */
function newResults() {
  const results = new ResultCache()
  return { results, get: (key: string) => results.get(key, () => ({ key })) }
}

it('keeps a result until it is cleared', () => {
  const { results, get } = newResults()
  const first = get('title')
  expect(get('title')).toBe(first)
  expect(get('views')).toEqual({ key: 'views' })
  results.clear()
  expect(get('title')).not.toBe(first)
})

it('also keeps a result that is false or undefined', () => {
  const { results } = newResults()
  const work = jest.fn<unknown, []>().mockReturnValueOnce(undefined)
  expect([results.get('a', work), results.get('a', work)]).toEqual([undefined, undefined])
  expect(work).toHaveBeenCalledTimes(1)
})

it('keeps the four results that were used last', () => {
  const { get } = newResults()
  const [first, second] = [get('1'), get('2')]
  for (const key of ['3', '4', '1', '5']) get(key)
  expect(get('1')).toBe(first)
  expect(get('2')).not.toBe(second)
})

it('keeps nothing when the work fails', () => {
  const { results, get } = newResults()
  const fail = () => {
    throw new Error('no luck')
  }
  expect(() => results.get('title', fail)).toThrow('no luck')
  expect(get('title')).toEqual({ key: 'title' })
})

describe('after a while', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it('drops results that nobody has used', () => {
    const { get } = newResults()
    for (let round = 0; round < 2; round += 1) {
      const first = get('title')
      jest.advanceTimersByTime(50_000)
      expect(get('title')).toBe(first)
      jest.advanceTimersByTime(50_000)
      expect(get('title')).toBe(first)
      jest.advanceTimersByTime(60_000)
      expect(get('title')).not.toBe(first)
    }
  })
  it('needs nothing of a collection that is gone', async () => {
    newResults().get('title')
    await setImmediate()
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    expect(() => jest.advanceTimersByTime(60_000)).not.toThrow()
  })
})
