import fc from 'fast-check'
import { runs } from '../../../support/random'
import { documentOf } from './document-of'

/** Keys as applications make them, and what people are called. */
const KEYS = [
  'sk_live_51Hx',
  '+4917012345',
  'mia@example.com',
  '3b241101-e2bb-4255-8caf-4136c566a962',
  '2026-01-31',
  'Mia Muster',
  'a1b2c3',
]

test.each(KEYS)('the document shows no key of protected data: %s', (key) => {
  const document = documentOf({
    apiKeys: { [key]: { user: 1 } },
    sessions: [{ id: 1, byPhone: { [key]: {} } }],
    carts: [
      { id: 1, of: { [key]: 2 } },
      { id: 2, of: {} },
    ],
  })
  expect(JSON.stringify(document)).not.toContain(key)
})

test('a table of objects is described without the names of its rows', () => {
  const visits = { mia: { count: 1 }, tom: { count: 2 } }
  const document = JSON.stringify(documentOf({ visits, pages: [{ id: 1, visits }] }))
  expect(document).not.toMatch(/mia|tom/)
})

test('a field that most records have is described, also of one object; a name in fewer is not', () => {
  const { schemas } = documentOf({
    theme: { colour: 'red', line2: 'x' },
    orders: [{ id: 1, total: 2, gift: true }, { id: 2, total: 3 }, { id: 3 }],
  }).components
  expect(schemas).toMatchObject({
    Theme: { properties: { colour: { type: 'string' }, line2: { type: 'string' } } },
    Order: { additionalProperties: true, properties: { total: { type: 'integer' } } },
  })
  expect(Object(schemas.Order).properties).not.toHaveProperty('gift')
  expect(schemas.Theme).not.toHaveProperty('additionalProperties')
})

/** A word that stands nowhere else in a document. */
const word = fc.stringMatching(/^zq[a-z0-9+@-]{4,10}$/)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, word, fc.integer(), tie('object'), fc.array(tie('any'), { maxLength: 3 })),
  object: fc.dictionary(word, tie('any'), { maxKeys: 4 }),
})).any

test('no string of a protected collection stands in the document that is not the name of a field in most records', () => {
  const records = fc.array(fc.dictionary(word, value, { maxKeys: 4 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(records, (secrets) => {
      const shown = JSON.stringify(documentOf({ secrets })).match(/zq[a-z0-9+@-]+/g) ?? []
      const isField = (name: string) =>
        /^[a-z]+\d{0,3}$/.test(name) && JSON.stringify(secrets).includes(`${JSON.stringify(name)}:`)
      expect(shown.filter((name) => !isField(name))).toEqual([])
      // None that most of the records do not have, unless it is a field of what they hold.
      const inFew = secrets.flatMap(Object.keys).filter((name, _index, all) => {
        const count = all.filter((other) => other === name).length
        const isInside = secrets.some((record) => JSON.stringify(Object.values(record)).includes(`"${name}"`))
        return count <= secrets.length / 2 && !isInside
      })
      expect(shown.filter((name) => inFew.includes(name))).toEqual([])
    }),
    runs(40),
  )
})
