import type { Schema } from '../../http/openapi'
import { isRecord } from '../../is-record'

/** In the order in which they are listed. */
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']
/** The formats of texts, by their names in JSON Schema. */
const FORMATS = Object.entries({
  email: /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
})
/** How many records of a collection are looked at, from its first to its last. */
const MOST_RECORDS = 1000
/** How many characters of a text are shown: some are pictures. */
const LONGEST_TEXT = 300
/** How many fields are described: with 1,000 of them, the page would take 4 s to open an operation. */
const MOST_FIELDS = 200

/**
 * What can be the name of a field: letters and underscores, and perhaps the number of one of several, as in `line2`. Other
 * names are values, such as keys and telephone numbers.
 */
const IDENTIFIER = /^[\p{L}_]{1,60}\d{0,3}$/u

/** Some of these records as clients see them, with short texts: a source in JavaScript may have dates and functions. */
export function sampleOf(records: readonly unknown[]): readonly unknown[] {
  const step = Math.ceil(records.length / MOST_RECORDS)
  const shorten = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value
  // A record that is a function is none in JSON.
  const sample = JSON.parse(
    JSON.stringify(
      records.filter((_record, index) => index % step === 0),
      shorten,
    ),
  )
  return Array.isArray(sample) ? sample : []
}

/**
 * A schema to which all of these values conform, also when their types are mixed.
 *
 * @param values as JSON has them
 * @param options `isComplete`: whether there are no other values, so that what each has is required. Default: nothing is.
 */
export function inferSchema(values: readonly unknown[], options: { isComplete?: boolean } = {}): Schema {
  const found = new Set(values.map(typeOf))
  if (found.has('number')) found.delete('integer')
  const types = TYPES.filter((type) => found.has(type))
  const [type = 'null', ...otherTypes] = types
  // What has always been null may become anything, as a foreign key does.
  if (type === 'null') return {}
  return {
    type: otherTypes.length > 0 ? types : type,
    format: formatOf(values.filter((value) => value !== null)),
    ...(found.has('object') && describeFields(values.filter(isRecord), options)),
    // OpenAPI 3.0 tools, and many of today, want the items of every array described.
    ...(found.has('array') && { items: inferSchema(values.filter(Array.isArray).flat(), options) }),
  }
}

/**
 * Everybody can read the document, and a name can be a value, such as the key of a session. So a name counts as that of a
 * field only where it is an identifier that most of the records have; the rest are properties without a name.
 */
function describeFields(
  records: readonly Record<string, unknown>[],
  options: { isComplete?: boolean },
): Schema {
  const counts = new Map<string, number>()
  for (const name of records.flatMap(Object.keys)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isField = ([name, count]: [string, number]) => IDENTIFIER.test(name) && count > records.length / 2
  const names = [...counts].filter(isField).map(([name]) => name)
  if (names.length > MOST_FIELDS || isTable(records)) return { additionalProperties: true }
  const valuesOf = (name: string) =>
    records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name]] : []))
  const always = names.filter((name) => records.every((record) => Object.hasOwn(record, name)))
  return {
    properties: Object.fromEntries(names.map((name) => [name, inferSchema(valuesOf(name), options)])),
    ...(options.isComplete && always.length > 0 && { required: always }),
    ...(names.length < counts.size && { additionalProperties: true }),
  }
}

/** Whether one object is a table of objects of one form, such as carts by the names of their users. */
function isTable([record, ...others]: readonly Record<string, unknown>[]): boolean {
  const rows = Object.values(record ?? {})
  const forms = new Set(rows.map((row) => (isRecord(row) ? JSON.stringify(Object.keys(row)) : undefined)))
  return others.length === 0 && rows.length > 1 && forms.size === 1 && !forms.has(undefined)
}

/** The format of all of these values, if they are texts of one. */
function formatOf(values: readonly unknown[]): string | undefined {
  return FORMATS.find(([, form]) =>
    values.every((value) => typeof value === 'string' && form.test(value)),
  )?.[0]
}

/** The JSON Schema type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isSafeInteger(value) ? 'integer' : typeof value
}
