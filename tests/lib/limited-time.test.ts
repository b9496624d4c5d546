import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runInLimitedTime } from '../../lib/limited-time'

/** More than any test waits for, in milliseconds. */
const LONG = 60_000

it('gives what the work gives, and keeps nothing of it in memory', async () => {
  const search = () => {
    const record = { text: 'a' }
    expect(runInLimitedTime(() => record, LONG)?.result).toBe(record)
    return new WeakRef(record)
  }
  const searched = search()
  await new Promise(setImmediate)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  expect(searched.deref()).toBeUndefined()
})

it('passes on what the work throws', () => {
  const fail = () => {
    throw new Error('no value')
  }
  expect(() => runInLimitedTime(fail, LONG)).toThrow('no value')
})

it('interrupts what never ends, and runs what comes after it', () => {
  expect(runInLimitedTime(() => /^(a+)+$/.test(`${'a'.repeat(100)}!`), 10)).toBeUndefined()
  expect(runInLimitedTime(() => undefined, LONG)).toEqual({ result: undefined })
})
