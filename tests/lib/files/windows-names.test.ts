import { isWindowsAlias } from '../../../lib/files/windows-names'

test.each([
  ['a short name', '/GIT~1/config'],
  ['a short name of a file', '/DB-171~1.JSO'],
  ['a stream', '/db-1.json::$DATA'],
  ['the stream of a folder', '/guide:$I30:$INDEX_ALLOCATION/index.html'],
  ['a drive', '/C:/db.json'],
  ['a dot at the end', '/db-1.json.'],
  ['a space at the end', '/db-1.json '],
  ['a dot at the end of a folder', '/guide./index.html'],
  ['the folder above', '/guide/../db.json'],
  ['a backslash', '/guide\\index.html'],
  ['a backslash and a share', '/\\\\server\\share\\db.json'],
  ['a wildcard', '/db-?.json'],
])('%s is another spelling: %s', (_why, inside) => {
  expect(isWindowsAlias(inside)).toBe(true)
})

test.each([
  '/',
  '/index.html',
  '/guide/',
  '//app.js',
  '/a b.html',
  '/a~b.js',
  '/v1.2/app.min.js',
  '/.well-known/a',
])('%s has one spelling', (inside) => {
  expect(isWindowsAlias(inside)).toBe(false)
})
