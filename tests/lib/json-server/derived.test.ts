import { derived } from '../../../lib/json-server/derived'

/** A function that counts what it has made. */
function counted() {
  const made: string[] = []
  const make = (name: string) => () => {
    made.push(name)
    return name
  }
  return { make, made }
}

test('a value is made once for an array and a key', () => {
  const { make, made } = counted()
  const values = derived<string>()
  const [one, other] = [[], []]
  expect([values(one, 'a', make('1')), values(one, 'a', make('2'))]).toEqual(['1', '1'])
  expect([values(one, 'b', make('3')), values(other, 'a', make('4'))]).toEqual(['3', '4'])
  expect(made).toEqual(['1', '3', '4'])
})

test('values of two kinds have nothing to do with each other', () => {
  const [texts, lengths] = [derived<string>(), derived<number>()]
  const list = [1]
  expect([texts(list, 'a', () => 'one'), lengths(list, 'a', () => 1)]).toEqual(['one', 1])
})

test('twenty keys of an array are remembered, and false is a value as well', () => {
  const values = derived<boolean>()
  const list: unknown[] = []
  let made = 0
  const look = (key: number) =>
    values(list, String(key), () => {
      made += 1
      return false
    })
  const keys = Array.from({ length: 20 }, (_, key) => key)
  for (const key of [...keys, ...keys]) look(key)
  expect(made).toBe(20)
  look(20)
  look(0)
  expect(made).toBe(22)
})
