import { createApp } from '../../../server'
import { ask, json, serve, type TestServer } from '../../support/http'

let server: TestServer

beforeAll(async () => {
  const data = {
    mails: [
      { id: 1, to: [{ id: 4, name: 'Ada', age: 30 }, { id: 5 }] },
      { id: 2, to: [{ id: 5, name: 'Bo', age: 50 }] },
      { id: 3, to: [] },
      { id: 4, to: [{ id: 40, name: null }, 'text', null, { id: 1, age: 90 }] },
      { id: 5 },
    ],
    orders: [
      { id: 1, cart: { items: [{ sku: 'a', parts: [{ n: 1 }, { n: 2 }], tags: ['x'] }] } },
      { id: 2, cart: { items: [{ sku: 'b', parts: [{ n: 3 }], unit_gt: 5 }] } },
    ],
    mixed: [
      { id: 1, to: { id: 4 } },
      { id: 2, to: [{ id: 4 }] },
    ],
  }
  server = await serve(createApp({ data, allow: 'all', log: false }))
})
afterAll(() => server.close())

test.each([
  // Any element has it.
  ['/mails?to.id=4', [1]],
  ['/mails?to.id=5', [1, 2]],
  ['/mails?to.id=4&to.id=40', [1, 4]],
  ['/mails?to.name=Bo', [2]],
  ['/mails?to.name=null', []],
  ['/mails?to.id=99', []],
  // None has it.
  ['/mails?to.id_ne=4', [2, 3, 4, 5]],
  ['/mails?to.id_ne=4&to.id_ne=5', [3, 4, 5]],
  // The same element has all of it.
  ['/mails?to.age_gte=40&to.age_lte=60', [2]],
  ['/mails?to.age_gt=30', [2, 4]],
  ['/mails?to.age_lt=50', [1]],
  ['/mails?to.id_gte=5&to.age_lte=40', []],
  ['/mails?to.name_like=^a', [1]],
  ['/mails?to.name_like=a&to.id_gte=5', []],
  ['/mails?to.id=5&to.age=50', [2]],
  ['/mails?to.id=5&to.id_ne=4', [2]],
  // json-server's own
  ['/mails?to.0.id=5', [2]],
  ['/mails?to.0.id_ne=5', [1, 4]],
  ['/mails?to.length=2', [1]],
  ['/mails?to.length_gte=2', [1, 4]],
  // Beside other filters, and pages
  ['/mails?to.id=5&id_gte=2', [2]],
  ['/mails?to.id=5&_sort=id&_order=desc', [2, 1]],
  ['/mails?to.id=5&_page=2&_limit=1', [2]],
  ['/mails?to.id=5&q=ada', [1]],
  // Deeper
  ['/orders?cart.items.sku=a', [1]],
  ['/orders?cart.items.parts.n=2', [1]],
  ['/orders?cart.items.parts.n_gte=3', [2]],
  ['/orders?cart.items.unit_gt=5', [2]],
  ['/orders?cart.items.unit_gt_gte=5', [2]],
  // No element has such a field: json-server ignores it, or finds nothing.
  ['/mails?to.nope=4', [1, 2, 3, 4, 5]],
  ['/mails?to.nope_ne=4', []],
  // Where a record has the field without a list, json-server finds that.
  ['/mixed?to.id=4', [1]],
])('%s -> %j', async (path, expected) => {
  const answer = await ask(server.url, { path })
  const list = json(answer)
  if (!Array.isArray(list)) throw new Error(answer.text)
  expect(list.map(({ id }) => id)).toEqual(expected)
})

test('a page counts what the filter leaves', async () => {
  const { headers } = await ask(server.url, { path: '/mails?to.id=5&_page=1&_limit=1' })
  expect(headers['x-total-count']).toBe('2')
})

test.each([
  'to.id[a]=4',
  'to.id_ne[a]=4',
  'to.id_gt[a]=4',
  'to.name_like=(',
  `to.name_like=${'a'.repeat(501)}`,
])('what json-server fails on in a record is 400 in a list: %s', async (query) => {
  expect((await ask(server.url, { path: `/mails?${query}` })).status).toBe(400)
})
