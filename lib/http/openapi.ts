/** A JSON Schema, draft 2020-12. */
export interface Schema {
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly [keyword: string]: unknown
}

/** What an OpenAPI document says of one operation, beside what all of them have. */
export interface Operation {
  /** Whether no rewrite rule leads to it, so that it is asked for by its own path alone. Default: rules do. */
  readonly isFixed?: true
  /** The method and the path that a rewrite rule makes of it, which decide whether it needs a token. Default: its own. */
  readonly ledTo?: string
  /** Whether it needs a token. Default: as `--allow` says. */
  readonly needsToken?: boolean
  readonly description?: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  /** The schema of its response. Default: it has no body. */
  readonly success?: Schema
  /** The status of that response. Default: 200, or 204 without a body. */
  readonly status?: number
  /** The responses that only some operations have. */
  readonly errors?: Readonly<Record<string, object>>
  /** The fields of the response that lead to a token, which the page then uses: page.mjs. */
  readonly 'x-token'?: readonly string[] | undefined
}

/** An operation: its method and path, what generated clients call it, and the rest. */
export type OperationRow = readonly [line: string, operationId: string, operation: Operation]
/** Operations that are shown together. */
export type Group = readonly [tag: string, rows: readonly OperationRow[]]

/** A collection, or another entry of the data, as a document has it. */
export interface DescribedResource {
  readonly name: string
  readonly isCollection: boolean
  /** What the schema of a record is called: `Blog`. */
  readonly schemaName: string
  /** What operations for a list have in their names: `Blogs`. */
  readonly listName: string
  /** The id in a path. */
  readonly idParameter: object
  /** Refers to the schema of what is read. */
  readonly record: Schema
  /** Refers to the schema of what is sent. */
  readonly input: Schema
  /** The fields of what is sent. */
  readonly fields: readonly string[]
  /** The records that the description is made of. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** What a document knows of the data, for steps that describe themselves. */
export interface DescribedData {
  readonly data: Readonly<Record<string, unknown>>
  resource(name: string): DescribedResource | undefined
  /** The schema to which all of these values conform, and with what each of them has. */
  schemaOf(values: readonly unknown[]): Schema
}

/** What schemas say of the records of a resource. */
export interface DescribedRecords {
  readonly properties: Readonly<Record<string, Schema>>
  /** What has to be sent, and what a record then has in any case. */
  readonly required: readonly string[]
  readonly always: readonly string[]
  /** All other keywords. */
  readonly others: Schema
}

/** What schemas say of the data, for a document. */
export interface DescribedSchemas {
  /** What is said of a resource; undefined where nothing is. */
  of(name: string): DescribedRecords | undefined
  /** Schemas to which others refer by `#/$defs/`. */
  readonly shared: Readonly<Record<string, Schema>>
  /** The fields for times, which each record gets. */
  readonly timeStamps: readonly string[]
  /** How what does not fit is refused. */
  readonly refusal: { readonly status: number; readonly body: unknown }
}

/** Says what a step responds to, for a document: it stands next to the step. */
export type Describe = (known: DescribedData) => Group

/** Said of each GET that can be a stream. A second content type would make what generated clients return a union. */
export const STREAMED = 'With `Accept: text/event-stream`, it stays open and sends what changes.'

export const TEXT = { type: 'string' }
export const EMPTY = { type: 'object', maxProperties: 0 }
export const ANY_OBJECT = { type: 'object', additionalProperties: true }
/** A refusal as it is specified. */
export const UNAUTHORIZED = { ...TEXT, enum: ['Unauthorized'] }

/** The schema of a list. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** The schema of an object that has all of these properties. */
export function objectOf(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** A body of JSON. */
export function bodyOf(schema: Schema): object {
  return { required: true, content: { 'application/json': { schema } } }
}

/**
 * A response with JSON.
 *
 * @param texts other types that it may have in place of it
 */
export function responseOf(description: string, schema: Schema, texts: readonly string[] = []): object {
  const ofTexts = texts.map((type) => [type, { schema: TEXT }] as const)
  return { description, content: { 'application/json': { schema }, ...Object.fromEntries(ofTexts) } }
}

/** Refers to a part that the document has once. */
export function reference(kind: 'schemas' | 'responses' | 'parameters', name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` }
}

export const NOT_FOUND = { 404: reference('responses', 'NotFound') }
