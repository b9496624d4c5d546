import { openSource } from '../../../lib/data/open-data'
import { printable } from '../../../lib/data/source-address'

test.each([
  ['db.json', 'db.json'],
  ['http://ada:lovelace@host/db?token=x', 'http://host/db'],
  ['HTTP://ada:lovelace@host/db', 'http://host/db'],
  ['http://ada:lovelace@[bad/db.json', 'http://[bad/db.json'],
  ['ftp://ada:lovelace@host/db.json', 'ftp://host/db.json'],
  ['postgres://ada:lovelace@host:5433/db?sslmode=require', 'postgresql://host:5433/db'],
  ['postgresql://ada:love@lace@host/db', 'postgresql://host/db'],
  ['postgresql://ada@/db?host=/tmp&password=a@lovelace', 'postgresql://localhost/db'],
  ['postgresql://ada:love@/lace@host/db', 'postgresql://'],
  ['postgresql://ada:12/lovelace@host/db', 'postgresql://'],
  ['postgresql://ada:12?lovelace@host/db', 'postgresql://'],
  ['postgresql:///db', 'postgresql://localhost/db'],
  ['postgresql://ada:lovelace@[bad/db', 'postgresql://'],
])('%s is printed as %s', (source, shown) => {
  expect(printable(source)).toBe(shown)
})

test.each([
  'HTTP://ada:lovelace@[bad/db.json',
  'ftp://ada:lovelace@host/db',
  'http://ada:lovelace@127.0.0.1:1/db',
  'postgresql://ada:lovelace@127.0.0.1:1/db',
  'postgresql://ada:lovelace@[bad/db',
])('%s cannot be opened, and no password is in the sentence', async (source) => {
  const opened = openSource({ source, inMemory: false, warn: () => {} })
  await expect(opened).rejects.toThrow(/^(?!.*lovelace).*\.$/)
})
