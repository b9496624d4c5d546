import { readAllowed } from '../../../../lib/auth/allow-rules'
import type { Data } from '../../../../lib/data/valid-data'
import { type AppOptions, createApp } from '../../../../server'
import { Contract } from '../../../app/contract'
import { ask, question, serve } from '../../../support/http'
import { documentOf } from './document-of'

const data = (): Data => ({
  users: [
    {
      id: 1,
      name: 'Ada',
      address: { city: 'Bonn' },
      orders: [{ id: 7, title: 'Tea' }],
      tags: ['a'],
      notes: [],
      parts: [{ name: 'no id' }],
      mixed: {},
      posts: [{ id: 1 }],
    },
    {
      id: 2,
      name: 'Eve',
      address: { city: 'Rome' },
      orders: null,
      tags: [],
      notes: [],
      parts: [],
      mixed: [],
      posts: [],
    },
  ],
  posts: [{ id: 1, title: 'Hello' }],
  settings: { theme: { color: 'red' }, users: [{ id: 1, name: 'inner' }] },
})

/** The operations below a path, each with a star where it needs a token. */
function operationsBelow(path: string, options: Parameters<typeof documentOf>[1] = {}): string[] {
  const { paths } = documentOf(data(), options)
  return Object.entries(paths)
    .filter(([template]) => template.startsWith(path))
    .flatMap(([template, item]) =>
      Object.entries(item).map(([method, { operationId, security }]) => {
        const star = security.some((way) => !('bearerAuth' in way)) || security.length === 0 ? '' : ' *'
        return `${operationId}: ${method.toUpperCase()} ${template}${star}`
      }),
    )
}

test('lists, their elements and objects are described, one level deep', () => {
  expect(operationsBelow('/users/{id}/')).toEqual([
    'getAddressOfUser: GET /users/{id}/address *',
    'replaceAddressOfUser: PUT /users/{id}/address *',
    'updateAddressOfUser: PATCH /users/{id}/address *',
    'createAddressOfUser: POST /users/{id}/address *',
    'listOrdersOfUser: GET /users/{id}/orders *',
    'createOrderOfUser: POST /users/{id}/orders *',
    'getOrderOfUser: GET /users/{id}/orders/{orderId} *',
    'replaceOrderOfUser: PUT /users/{id}/orders/{orderId} *',
    'updateOrderOfUser: PATCH /users/{id}/orders/{orderId} *',
    'deleteOrderOfUser: DELETE /users/{id}/orders/{orderId} *',
    'listTagsOfUser: GET /users/{id}/tags *',
    'listNotesOfUser: GET /users/{id}/notes *',
    'createNoteOfUser: POST /users/{id}/notes *',
    'listPartsOfUser: GET /users/{id}/parts *',
    'createPartOfUser: POST /users/{id}/parts *',
  ])
  expect(operationsBelow('/settings/')).toContain('getThemeOfSettings: GET /settings/theme *')
  expect(operationsBelow('/settings/')).toContain('getUserOfSettings: GET /settings/users/{userId} *')
})

test('what is nested has a schema of its own, and its lists are filtered by its fields', () => {
  const { paths, components } = documentOf(data())
  expect(components.schemas).toMatchObject({
    OrderOfUser: {
      properties: { id: { type: 'integer' }, title: { type: 'string' } },
      required: ['id', 'title'],
    },
    AddressOfUser: { properties: { city: { type: 'string' } }, required: ['city'] },
    PartOfUser: { properties: { name: { type: 'string' } }, required: ['name'] },
  })
  expect(components.schemas).not.toHaveProperty('TagOfUser')
  expect(paths['/users/{id}/tags']?.get?.responses[200]).toHaveProperty(
    ['content', 'application/json', 'schema'],
    { type: 'array', items: { type: 'string' } },
  )
  expect(paths['/users/{id}/orders']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'title_like', in: 'query' }),
  )
})

test('with --read-only, what changes is left out; where nested data has no paths, all of it', () => {
  expect(operationsBelow('/settings/', { readOnly: true })).toEqual([
    'getThemeOfSettings: GET /settings/theme *',
    'listUsersOfSettings: GET /settings/users *',
    'getUserOfSettings: GET /settings/users/{userId} *',
  ])
  expect(operationsBelow('/users/{id}/', { nested: false })).toEqual([])
})

test.each<[rule: string, open: string[]]>([
  ['GET /settings/theme', ['getThemeOfSettings: GET /settings/theme']],
  ['GET /settings/:id', []],
  ['GET /settings/users/:id', ['getUserOfSettings: GET /settings/users/{userId}']],
])('with --allow "%s"', (rule, open) => {
  const allowed = readAllowed([rule])
  expect(
    operationsBelow('/settings/', { allowed: () => allowed }).filter((line) => !line.endsWith('*')),
  ).toEqual(open)
})

test.each([
  'GET /users/1/orders?_page=1&_limit=1',
  'GET /users/1/orders?title_like=^T',
  'GET /users/2/orders',
  'POST /users/1/orders {"title": "Milk"}',
  'GET /users/1/orders/8',
  'PATCH /users/1/orders/7 {"title": "Milk"}',
  'DELETE /users/1/orders/7',
  'GET /users/1/orders/99',
  'GET /users/1/tags',
  'PUT /users/1/address {"city": "Rome"}',
  'POST /settings/theme {"color": "blue"}',
  'GET /settings/users/1',
])('%s is answered as the document says', async (line) => {
  const options: AppOptions = { data: data(), docs: true, allow: 'all', log: false }
  const server = await serve(createApp(options))
  const contract = await Contract.of(server.url)
  const asked = question(line)
  expect(contract.problems(asked, await ask(server.url, asked))).toEqual([])
  await server.close()
})

test('what does not fit the schema of its record is refused as the document says', async () => {
  const address = { type: 'object', properties: { city: { type: 'string', minLength: 3 } } }
  const schemas = { users: { type: 'object', properties: { address } } }
  const server = await serve(createApp({ data: data(), docs: true, allow: 'all', log: false, schemas }))
  const contract = await Contract.of(server.url)
  const asked = question('PUT /users/1/address {"city": "x"}')
  const response = await ask(server.url, asked)
  expect(response.status).toBe(422)
  expect(contract.problems(asked, response)).toEqual([])
  await server.close()
})
