import jsonServer from 'json-server'
import { boundedFilter } from '../../../lib/json-server/bounded-filter'

const records = [{ text: `${'a'.repeat(40)}!` }, { text: 'b' }]

function newLodash(hasPattern: boolean) {
  const { _ } = jsonServer.router({ records }, { foreignKeySuffix: 'Id' }).db
  _.mixin(boundedFilter(_, () => hasPattern))
  return _
}

const endless = ({ text }: { text: string }) => /^(a+)+$/.test(text)

describe('boundedFilter', () => {
  it.each([true, false])('filters as before (with a pattern: %s)', (hasPattern) => {
    const lodash = newLodash(hasPattern)
    expect(lodash.filter(records, { text: 'b' })).toEqual([records[1]])
    expect(lodash.filter(records, ({ text }: { text: string }) => text.endsWith('!'))).toEqual([records[0]])
    expect(lodash.filter([], endless)).toEqual([])
  })

  it('stops a regular expression that takes too long, and works again afterwards', () => {
    const lodash = newLodash(true)
    expect(() => lodash.filter(records, endless)).toThrow(expect.objectContaining({ status: 400 }))
    expect(lodash.filter(records, { text: 'b' })).toEqual([records[1]])
  })

  it('does not count the time in which the machine is busy with something else', () => {
    let asleep = false
    const sleepy = ({ text }: { text: string }) => {
      if (!asleep) {
        asleep = true
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)
      }
      return text === 'b'
    }
    expect(newLodash(true).filter(records, sleepy)).toEqual([records[1]])
  })

  it.each([true, false])('passes on what a predicate throws (with a pattern: %s)', (hasPattern) => {
    const error = new Error('no luck')
    const failing = () => {
      throw error
    }
    expect(() => newLodash(hasPattern).filter(records, failing)).toThrow(error)
  })
})
