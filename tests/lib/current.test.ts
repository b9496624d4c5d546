import { madeFrom } from '../../lib/current'

test('what is made from a value is made once, and again when another has taken its place', () => {
  let rules = { path: '/one' }
  const make = jest.fn(({ path }: typeof rules) => ({ target: path }))
  const made = madeFrom(() => rules, make)
  expect(make).not.toHaveBeenCalled()
  expect(made()).toBe(made())
  rules = { path: '/two' }
  expect(made()).toEqual({ target: '/two' })
  expect(make).toHaveBeenCalledTimes(2)
})

test('what cannot be made is tried again', () => {
  const make = jest.fn(() => {
    throw new Error('no')
  })
  const made = madeFrom({}, make)
  expect(made).toThrow('no')
  expect(made).toThrow('no')
  expect(make).toHaveBeenCalledTimes(2)
})
