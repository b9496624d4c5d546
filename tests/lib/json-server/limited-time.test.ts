import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runInLimitedTime } from '../../../lib/json-server/limited-time'

it('gives what the work gives, and keeps nothing of it in memory', async () => {
  const search = () => {
    const record = { text: 'a' }
    expect(runInLimitedTime(() => record, 1)).toBe(record)
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
  expect(() => runInLimitedTime(fail, 1)).toThrow('no value')
})
