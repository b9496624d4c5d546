import { isRecord } from '../../is-record'

/** A JSON Schema, draft 2020-12. */
export interface Schema {
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly [keyword: string]: unknown
}

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
/**
 * How many fields are described. An object with more is a table, whose names mean nothing: with 1,000 of them, the page
 * would take 4 s to open an operation, and fill its box with them.
 */
const MOST_FIELDS = 200

/** Some of these records as clients see them, with short texts: a source in JavaScript may have dates and functions. */
export function sampleOf(records: readonly unknown[]): unknown[] {
  const step = Math.ceil(records.length / MOST_RECORDS)
  const shorten = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value
  // A record that is a function is none in JSON.
  return JSON.parse(
    JSON.stringify(
      records.filter((_record, index) => index % step === 0),
      shorten,
    ),
  )
}

/**
 * A schema to which all of these values conform, also when their types are mixed. No field is required.
 *
 * @param values as JSON has them
 */
export function inferSchema(values: readonly unknown[]): Schema {
  const found = new Set(values.map(typeOf))
  if (found.has('number')) found.delete('integer')
  const types = TYPES.filter((type) => found.has(type))
  const [type = 'null', ...otherTypes] = types
  // What has always been null may become anything, as a foreign key does.
  if (type === 'null') return {}
  return {
    type: otherTypes.length > 0 ? types : type,
    format: formatOf(values.filter((value) => value !== null)),
    ...(found.has('object') && describeFields(values.filter(isRecord))),
    // OpenAPI 3.0 tools, and many of today, want the items of every array described.
    ...(found.has('array') && { items: inferSchema(values.filter(Array.isArray).flat()) }),
  }
}

function describeFields(records: readonly Record<string, unknown>[]): Schema {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  if (names.length > MOST_FIELDS || names.some(isValue)) return { additionalProperties: true }
  const valuesOf = (name: string) =>
    records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name]] : []))
  return { properties: Object.fromEntries(names.map((name) => [name, inferSchema(valuesOf(name))])) }
}

/** Whether a name is a value, such as the email of a user: everybody can read the document. */
function isValue(name: string): boolean {
  return FORMATS.some(([, form]) => form.test(name))
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
