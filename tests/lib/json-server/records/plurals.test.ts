/** Starts without plurals that are cached from another test. */
let isPlural: typeof import('../../../../lib/json-server/records/plurals').isPlural
beforeEach(() => {
  jest.resetModules()
  isPlural = require('../../../../lib/json-server/records/plurals').isPlural
})

test.each([
  ['posts', 'post', true],
  ['people', 'person', true],
  ['themselves', 'itself', true],
  ['sheep', 'sheep', true],
  ['post', 'post', false],
  ['posts', 'comment', false],
  ['posts', '', false],
])('%s is the plural of "%s": %p', (name, word, expected) => {
  expect(isPlural(name, word)).toBe(expected)
})

test('100,000 plurals are cached, and no more', () => {
  const words = Array.from({ length: 100_000 }, (_, index) => `word ${index}`)
  const looking = jest.spyOn(require('pluralize'), 'plural').mockImplementation((word) => `${word}s`)
  const ask = (word: string) => isPlural(`${word}s`, word)
  words.forEach(ask)
  words.forEach(ask)
  expect(looking).toHaveBeenCalledTimes(100_000)
  ask('one more')
  ask('word 0')
  expect(looking).toHaveBeenCalledTimes(100_002)
  looking.mockRestore()
})
