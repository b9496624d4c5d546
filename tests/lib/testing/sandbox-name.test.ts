import fc from 'fast-check'
import { SANDBOX_NAME } from '../../../lib/options/sandboxes/protocol'
import { sandboxName } from '../../../lib/testing'

test('any text becomes a valid name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) =>
      SANDBOX_NAME.test(sandboxName(text)),
    ),
  )
})

test('a valid name stays as it is', () => {
  expect(sandboxName('a30a6eba6312f6b87ea5-ef4ac1e9c1b5e7ca6a9d-3-0')).toBe(
    'a30a6eba6312f6b87ea5-ef4ac1e9c1b5e7ca6a9d-3-0',
  )
})

test('different texts have different names, even if they differ only in replaced or cut characters', () => {
  const long = 'x'.repeat(100)
  const texts = [
    '',
    '-',
    'a b',
    'a/b',
    'a-b',
    long,
    `${long}x`,
    `1${long}`,
    'ä',
    'ö',
    'logs in/adds',
    'logs in adds',
  ]
  expect(new Set(texts.map(sandboxName)).size).toBe(texts.length)
})
