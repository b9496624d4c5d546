import { isFromOtherSite } from '../../../lib/http/other-sites'

const LOCAL = { host: 'localhost:33000' }

test.each([
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5173' },
  { 'sec-fetch-site': 'same-site', referer: 'http://localhost:5173/a?b' },
  { referer: 'http://localhost:5173/' },
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
  { origin: 'http://localhost:5173' },
  { origin: 'https://LOCALHOST' },
  { origin: 'http://localhost', host: 'LocalHost:80' },
  { origin: 'http://[::1]:1', host: '[::1]:33000' },
  { origin: 'http://mock.test', host: 'mock.test' },
])('not from another site: %j', (headers) => {
  expect(isFromOtherSite({ headers: { ...LOCAL, ...headers } })).toBe(false)
})

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com', host: 'mock.example.com' },
  { 'sec-fetch-site': 'same-site', referer: 'https://evil.example.com/', host: 'mock.example.com' },
  { referer: 'http://evil.example/' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:33000' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { 'sec-fetch-site': 'SAME-ORIGIN' },
  { 'sec-fetch-site': '' },
  { 'sec-fetch-site': 'toString' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'localhost' },
  { origin: 'http://127.0.0.1:5173' },
  { origin: 'http://app.localhost' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'http://localhost@evil.example' },
  { origin: 'file://' },
  { origin: 'http://undefined', host: undefined },
  { origin: 'http://localhost', host: '' },
])('from another site: %j', (headers) => {
  expect(isFromOtherSite({ headers: { ...LOCAL, ...headers } })).toBe(true)
})
