import { isWebAddress } from '../../../lib/http/web-address'

test.each([
  'http://mock:33000',
  'https://mock.example/realms/demo',
  'http://[::1]:3000',
  'http://localhost/',
])('%s is an address of the web', (text) => {
  expect(isWebAddress(text)).toBe(true)
})

test.each([
  'mock:33000',
  '//mock',
  'ftp://mock',
  'javascript:alert(1)',
  'http://',
  'http://mock?query',
  'http://mock#fragment',
  'http://me@mock',
  'http://mock\\@other',
  'http://mo ck',
  '',
  5,
  undefined,
])('%j is none', (text) => {
  expect(isWebAddress(text)).toBe(false)
})
