import { existsSync } from 'node:fs'
import path from 'node:path'
import { openSource, printable } from '../../../lib/data/open-data'
import { newFolder, removeFolders } from '../../support/data'

afterAll(removeFolders)

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

test('a store whose data stays in memory is closed once it is read', async () => {
  const folder = await newFolder({
    'store.js': `
      const { writeFileSync } = require('node:fs')
      module.exports = {
        begin: async () => ({ text: '{"posts": []}', receipts: '' }),
        write: async () => {},
        release: async () => {},
        close: async () => writeFileSync(__dirname + '/closed', ''),
      }`,
  })
  const data = await openSource({ source: path.join(folder, 'store.js'), inMemory: true, warn: () => {} })
  expect(data.state).toEqual({ posts: [] })
  expect(existsSync(path.join(folder, 'closed'))).toBe(true)
})
