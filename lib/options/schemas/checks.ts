import { OptionError } from '../../errors'
import { isRecord } from '../../is-record'
import { nearestName } from '../../nearest-name'
import type { PlacedSchema } from './places'
import { TYPES } from './sentences'

/** JSON Schema 2020-12, what OpenAPI says beside it, and `unique`. */
export const KEYWORDS: readonly string[] = (
  '$ref $defs $schema $id $anchor $dynamicRef $dynamicAnchor $comment type enum const properties required ' +
  'additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas ' +
  'unevaluatedProperties items prefixItems contains minContains maxContains minItems maxItems uniqueItems ' +
  'unevaluatedItems minLength maxLength pattern format contentEncoding contentMediaType contentSchema minimum maximum ' +
  'exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if then else title description default examples ' +
  'deprecated readOnly writeOnly unique nullable example xml externalDocs discriminator definitions dependencies'
).split(' ')

/** What older drafts, and OpenAPI 3.0, say in another way. */
const OLDER: readonly (readonly [
  keyword: string,
  isOlder: (value: unknown, schema: PlacedSchema['schema']) => boolean,
  advice: string,
])[] = [
  ['required', isBoolean, 'it is a list of names beside "properties", such as ["title"]'],
  ['exclusiveMinimum', isBoolean, 'it is the limit itself, in place of "minimum"'],
  ['exclusiveMaximum', isBoolean, 'it is the limit itself, in place of "maximum"'],
  ['items', Array.isArray, 'the list is "prefixItems"'],
  ['additionalItems', () => true, 'it is "items", beside "prefixItems"'],
  ['id', (value) => typeof value === 'string', 'it is "$id"'],
  [
    'nullable',
    (_value, { type }) => type === undefined,
    'write {"anyOf": [{...}, {"type": "null"}]}, or name a "type" beside it',
  ],
]

/** The words that act on what is stored, and need a place that is there in any case. */
const ACTING = ['readOnly', 'default', 'unique']

/**
 * Refuses what is not known, and words that would not act where they stand.
 *
 * @param formats all that are known
 * @throws OptionError that says what, and where
 */
export function checkSchema(place: PlacedSchema, formats: readonly string[]): void {
  const { schema, path } = place
  const inPlace = path === '' ? '' : `, in ${path}`
  for (const [keyword, isOlder, advice] of OLDER)
    if (Object.hasOwn(schema, keyword) && isOlder(schema[keyword], schema))
      throw new OptionError(`"${keyword}" is that of an older draft${inPlace}: in 2020-12, ${advice}`)
  for (const keyword of Object.keys(schema).filter((name) => !name.startsWith('x-'))) {
    const isField = path === '' && isRecord(schema[keyword])
    const advice = isField
      ? `a field stands in "properties", as {"properties": {"${keyword}": {...}}}`
      : `leave it out, or call it "x-${keyword}"`
    checkName('keyword', keyword, KEYWORDS, inPlace, advice)
  }
  const types = Object.keys(TYPES)
  for (const type of [schema.type].flat())
    if (typeof type === 'string') checkName('type', type, types, inPlace, `it can be ${types.join(', ')}`)
  if (typeof schema.format === 'string')
    checkName('format', schema.format, formats, inPlace, 'leave it out, or write a "pattern"')
  checkActing(place, inPlace)
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function checkName(
  kind: string,
  name: string,
  known: readonly string[],
  inPlace: string,
  advice: string,
): void {
  if (known.includes(name)) return
  const nearest = nearestName(name, known)
  const meant = nearest === undefined ? advice : `did you mean "${nearest}"?`
  throw new OptionError(`there is no ${kind} "${name}"${inPlace}: ${meant}`)
}

function checkActing({ schema, depth, branch, referred }: PlacedSchema, inPlace: string): void {
  const word = branch && ACTING.find((one) => Object.hasOwn(schema, one))
  // No element of a list is known again, so that what was stored of it could not stay.
  if (branch?.keyword === 'items' && word === 'readOnly')
    throw new OptionError(`"readOnly" does not act in the elements of a list${inPlace}: leave it out`)
  if (branch && branch.keyword !== 'items' && word)
    throw new OptionError(
      `"${word}" does not act below ${branch.path}${inPlace}: write it in "properties", beside "${branch.keyword}"`,
    )
  if (!Object.hasOwn(schema, 'unique') || referred) return
  const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
  const { unique } = schema
  const fits =
    depth === 0
      ? Array.isArray(unique) && unique.every((one) => typeof one === 'string' || isNames(one))
      : depth === 1 && typeof unique === 'boolean'
  if (!fits)
    throw new OptionError(
      `"unique"${inPlace} must be true in a field of the record, or beside "properties" a list of fields, such as ` +
        '["email", ["shop", "number"]]',
    )
}
