import bcrypt from 'bcryptjs'
import { comparePassword } from '../../../lib/accounts/password-hashes'

const HASH = `$2b$04$${'x'.repeat(53)}`

test('hashes are compared one after the other, also after one has failed', async () => {
  const ends: ((error?: Error) => void)[] = []
  const compare = jest.spyOn(bcrypt, 'compare').mockImplementation(
    () =>
      new Promise<boolean>((resolve, reject) => {
        ends.push((error) => (error ? reject(error) : resolve(true)))
      }),
  )
  const results = Promise.allSettled(['a', 'b', 'c'].map((password) => comparePassword(password, HASH)))
  await new Promise(setImmediate)
  expect(ends).toHaveLength(1)
  ends[0]?.(new Error('broken'))
  await new Promise(setImmediate)
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await new Promise(setImmediate)
  expect(ends).toHaveLength(3)
  ends[2]?.()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  compare.mockRestore()
})

test('what has too high a cost, or is no hash, is not given to bcrypt', async () => {
  const compare = jest.spyOn(bcrypt, 'compare')
  expect(await comparePassword('x', HASH.replace('$04$', '$16$'))).toBe(false)
  expect(await comparePassword('x', HASH.replace('$04$', '$31$'))).toBe(false)
  expect(await comparePassword('x', 'x')).toBe(true)
  expect(compare).not.toHaveBeenCalled()
})
