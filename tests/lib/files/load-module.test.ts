import { isModule } from '../../../lib/files/load-module'

test.each([
  ['data.js', true],
  ['data.cjs', true],
  ['data.mjs', true],
  ['data.ts', true],
  ['data.json', false],
  ['data', false],
])('%s is a module: %s', (file, expected) => {
  expect(isModule(file)).toBe(expected)
})
