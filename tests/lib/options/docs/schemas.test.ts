import { testApps } from '../../../support/app'
import { ADA } from '../../../support/data'

const { start } = testApps()

const schemas = {
  $defs: {
    address: {
      $id: 'address',
      required: ['city'],
      properties: { city: { type: 'string', minLength: 1, default: 'Nice' } },
    },
  },
  posts: {
    required: ['id', 'title', 'createdAt', 'views'],
    additionalProperties: false,
    properties: {
      id: { type: 'integer' },
      title: { type: 'string', minLength: 3, unique: true, pattern: '^[A-Z].*$' },
      views: { type: 'integer', default: 0 },
      state: { enum: ['draft', 'published'] },
      role: { type: 'string', readOnly: true },
      address: { $ref: '#/$defs/address' },
      author: { $ref: '#/$defs/users' },
      default: { type: 'string' },
      note: { type: 'string', nullable: true },
    },
  },
  users: { properties: { email: { type: 'string', format: 'email' } } },
}
const users = [{ id: 1, ...ADA }]
const data = { posts: [], notes: [{ id: 1, a: 1 }], users }

async function documentOf(current: () => Record<string, object> = () => schemas) {
  const { send } = await start({
    data,
    schemas: current,
    timeStamps: ['createdAt', 'updatedAt'],
    docs: true,
    log: false,
  })
  return async () => JSON.parse((await send('GET', '/openapi.json')).text)
}

test('what a POST sends requires what its schema requires, and no field that the server makes', async () => {
  const { PostInput, Post } = (await (await documentOf())()).components.schemas
  expect(PostInput.required).toEqual(['title'])
  expect(PostInput.additionalProperties).toBe(false)
  expect(Post.required).toEqual(['id', 'title', 'views', 'createdAt'])
  expect(PostInput.properties).toMatchObject({
    id: { type: 'integer', readOnly: true },
    title: { type: 'string', minLength: 3, pattern: '^[A-Z].*$' },
    state: { enum: ['draft', 'published'] },
    role: { readOnly: true },
    createdAt: { type: 'string', format: 'date-time', readOnly: true },
    updatedAt: { readOnly: true },
    default: { type: 'string' },
    note: { type: ['string', 'null'] },
  })
  expect(PostInput.properties.views).toEqual({ type: 'integer' })
})

test('what a PATCH sends requires nothing', async () => {
  const { components, paths } = await (await documentOf())()
  expect(paths['/posts/{id}'].patch.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/PostChanges',
  })
  expect(components.schemas.PostChanges.required).toBeUndefined()
})

test('references lead to schemas of the document, which has neither "unique" nor "$id"', async () => {
  const document = await (await documentOf())()
  const { PostInput, Address } = document.components.schemas
  expect(PostInput.properties.address).toEqual({ $ref: '#/components/schemas/Address' })
  expect(PostInput.properties.author).toEqual({ $ref: '#/components/schemas/UserInput' })
  expect(Address.properties.city).toEqual({ type: 'string', minLength: 1 })
  expect(JSON.stringify(document)).not.toMatch(/unique|\$id/)
})

test('422 stands at the three operations that store what is sent, where there is a schema', async () => {
  const { components, paths } = await (await documentOf())()
  const refused = { $ref: '#/components/responses/Refused' }
  expect(paths['/posts'].post.responses[422]).toEqual(refused)
  expect(paths['/posts/{id}'].put.responses[422]).toEqual(refused)
  expect(paths['/posts/{id}'].patch.responses[422]).toEqual(refused)
  expect(paths['/posts/{id}'].delete.responses[422]).toBeUndefined()
  expect(paths['/notes'].post.responses[422]).toBeUndefined()
  const { schema } = components.responses.Refused.content['application/json']
  expect(schema.properties.errors).toEqual({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  })
})

test('a changed schema changes the document', async () => {
  let current: Record<string, object> = {}
  const read = await documentOf(() => current)
  expect((await read()).components.schemas.PostInput.required).toBeUndefined()
  current = schemas
  expect((await read()).components.schemas.PostInput.required).toEqual(['title'])
})

test('a schema may lead to itself by an object, by a list and by one of several', async () => {
  const self = { $ref: '#/$defs/node' }
  const node = { properties: { next: self, all: { type: 'array', items: self }, or: { anyOf: [self] } } }
  const read = await documentOf(() => ({ $defs: { node }, posts: { properties: { node: self } } }))
  const [example] = (await read()).components.schemas.PostInput.examples
  expect(example.node).toMatchObject({ next: {}, all: [{}], or: {} })
})

test('two collections may have other schemas of the same name', async () => {
  const own = (type: string) => ({
    definitions: { part: { type }, list: { type: 'array', items: { $ref: '#/definitions/part' } } },
    properties: { parts: { $ref: '#/definitions/list' } },
  })
  const read = await documentOf(() => ({ posts: own('string'), users: own('integer') }))
  const { schemas: all } = (await read()).components
  const typeOf = (name: string) => {
    const { $ref: list } = all[name].properties.parts
    const { $ref: part } = all[list.split('/').at(-1)].items
    return all[part.split('/').at(-1)].type
  }
  expect([typeOf('PostInput'), typeOf('UserInput')]).toEqual(['string', 'integer'])
})

test('examples and allowed values are data, whatever their fields are called', async () => {
  const value = { default: 1, unique: 2, a: 3 }
  const own = { notes: { properties: { a: { examples: [value], enum: [value] } } } }
  const { components } = await (await documentOf(() => own))()
  expect(components.schemas.Note.properties.a).toEqual({ examples: [value], enum: [value] })
})
