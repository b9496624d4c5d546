import bcrypt from 'bcryptjs'
import { comparePassword, hashPassword } from '../../../lib/accounts/password-hashes'
import { until } from '../../support/http'
import { pendingRequest } from '../../support/identify'

const REQUEST = pendingRequest()
const HASH = `$2b$04$${'x'.repeat(53)}`

test('hashes are compared one after the other, also after one has failed', async () => {
  const ends: ((error?: Error) => void)[] = []
  const compare = jest.spyOn(bcrypt, 'compare').mockImplementation(
    () =>
      new Promise<boolean>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(true)))
      }),
  )
  const results = Promise.allSettled(
    ['a', 'b', 'c'].map((password) => comparePassword(password, HASH, REQUEST)),
  )
  await until(() => ends.length > 0)
  expect(ends).toHaveLength(1)
  ends[0]?.(new Error('broken'))
  await until(() => ends.length > 1)
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await until(() => ends.length > 2)
  ends[2]?.()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  compare.mockRestore()
})

test('a hundred connections can be accepted ahead of each hash', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  const before: number[] = []
  jest.spyOn(bcrypt, 'compare').mockImplementation(async () => {
    before.push(turns)
    turns = 0
    return true
  })
  setImmediate(count)
  await Promise.all([comparePassword('a', HASH, REQUEST), comparePassword('b', HASH, REQUEST)])
  isOver = true
  expect(before).toHaveLength(2)
  expect(Math.min(...before)).toBeGreaterThanOrEqual(99)
  jest.restoreAllMocks()
})

test('a hash is made at the cost of bcryptjs', () => {
  expect(hashPassword('a')).toMatch(/^\$2b\$10\$/)
})

test('what has too high a cost, or is no hash, is not given to bcrypt', async () => {
  const compare = jest.spyOn(bcrypt, 'compare')
  expect(await comparePassword('x', HASH.replace('$04$', '$16$'), REQUEST)).toBe(false)
  expect(await comparePassword('x', HASH.replace('$04$', '$31$'), REQUEST)).toBe(false)
  expect(await comparePassword('x', 'x', REQUEST)).toBe(true)
  expect(compare).not.toHaveBeenCalled()
})
