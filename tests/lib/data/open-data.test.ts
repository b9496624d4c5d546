import { openSource } from '../../../lib/data/open-data'
import { printable } from '../../../lib/data/source-address'

test.each([
  ['db.json', 'db.json'],
  ['http://ada:lovelace@host/db?token=x', 'http://host/db'],
  ['HTTP://ada:lovelace@host/db', 'http://host/db'],
  ['http://ada:lovelace@[bad/db.json', 'http://[bad/db.json'],
  ['ftp://ada:lovelace@host/db.json', 'ftp://host/db.json'],
])('%s is printed as %s', (source, shown) => {
  expect(printable(source)).toBe(shown)
})

test.each([
  'HTTP://ada:lovelace@[bad/db.json',
  'ftp://ada:lovelace@host/db',
  'http://ada:lovelace@127.0.0.1:1/db',
])('%s cannot be opened, and no password is in the sentence', async (source) => {
  const opened = openSource({ source, inMemory: false, warn: () => {} })
  await expect(opened).rejects.toThrow(/^(?!.*lovelace).*\.$/)
})
