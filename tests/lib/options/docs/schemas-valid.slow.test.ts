import { testApps } from '../../../support/app'
import { ADA } from '../../../support/data'
import { OpenApiValidator } from './validator'

const { start } = testApps()
const validator = new OpenApiValidator()
afterAll(() => validator.close())
test('the document of schemas is valid, and its examples fit them', async () => {
  const schemas = {
    $defs: {
      address: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string', minLength: 1, default: 'Nice' } },
      },
    },
    posts: {
      required: ['id', 'title', 'createdAt', 'views', 'address', 'author', 'long', 'many'],
      additionalProperties: false,
      properties: {
        id: { type: 'integer' },
        title: { type: 'string', minLength: 3, unique: true, pattern: '^[A-Z].*$' },
        views: { type: 'integer', default: 0 },
        long: { type: 'string', minLength: 40 },
        many: { type: 'array', minItems: 2, items: { type: 'integer', minimum: 5 } },
        state: { enum: ['draft', 'published'] },
        role: { type: 'string', readOnly: true },
        code: { type: 'string', pattern: '^\\d+$' },
        site: { type: 'string', format: 'uri' },
        either: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] },
        one: { type: ['string', 'integer'], oneOf: [{ minimum: 5, type: 'integer' }, { const: 'none' }] },
        address: { $ref: '#/$defs/address' },
        author: { $ref: '#/$defs/users' },
      },
    },
    users: {
      allOf: [{ properties: { email: { type: 'string', format: 'email' } } }, { required: ['email'] }],
    },
    nodes: {
      $ref: '#/definitions/node',
      definitions: {
        node: {
          properties: {
            text: { type: 'string' },
            next: { $ref: '#/definitions/node' },
            children: { type: 'array', items: { $ref: '#/definitions/node' } },
            parent: { anyOf: [{ $ref: '#/definitions/node' }, { type: 'null' }] },
            same: { $ref: '#' },
          },
        },
      },
    },
    shops: { unique: [['a', 'b']], properties: { id: { type: 'string', format: 'uuid' } } },
    profile: { required: ['name'], properties: { name: { type: 'string' } } },
  }
  const { send } = await start({
    data: { posts: [], nodes: [], shops: [], users: [{ id: 1, ...ADA }], profile: { name: 'a' } },
    schemas,
    timeStamps: ['createdAt', 'updatedAt'],
    docs: true,
    publicCollection: false,
  })
  const { text } = await send('GET', '/openapi.json')
  expect(await validator.problems(JSON.parse(text))).toEqual([])
})
