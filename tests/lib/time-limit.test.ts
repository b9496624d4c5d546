import { TimeIsUp, TimeLimit } from '../../lib/time-limit'

const endless = () => /^(a+)+$/.test(`${'a'.repeat(40)}!`)

it('gives the result of the work, also when that is undefined', () => {
  const limit = new TimeLimit(50)
  expect(limit.run(() => 'tea')).toBe('tea')
  const work = jest.fn()
  expect(limit.run(work)).toBeUndefined()
  expect(work).toHaveBeenCalledTimes(1)
})

it('stops a regular expression that takes too long, and leaves no time for further work', () => {
  const limit = new TimeLimit(50)
  expect(() => limit.run(endless)).toThrow(TimeIsUp)
  expect(() => limit.run(() => 'tea')).toThrow(TimeIsUp)
  expect(new TimeLimit(50).run(() => 'tea')).toBe('tea')
})

it('passes on what the work throws', () => {
  const error = new Error('no luck')
  const fail = () => {
    throw error
  }
  expect(() => new TimeLimit(50).run(fail)).toThrow(error)
})
