/**
 * The parts of OpenAPI 3.1 with which services and options describe themselves for the document of `--docs`.
 * The document itself is made in `lib/options/docs`, which is loaded only with that flag.
 */

/** Any part: the types below name the keywords that the code reads. */
export interface Part {
  readonly [keyword: string]: unknown
}

/** A JSON Schema, draft 2020-12. */
export interface Schema extends Part {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Responses by status, or by a range of statuses such as `4XX`. */
export type Responses = Readonly<Record<string, Part>>

export interface Operation extends Part {
  /**
   * What generated clients call it, and no other operation. It begins with no verb of a resource's operations, such as
   * `list`, unless it takes the place of that one.
   */
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Part[]
  readonly responses: Responses
  /** What is needed instead of what the document says: nothing, or a token. */
  readonly security?: readonly object[]
}

/** The operations of a path. */
export interface PathItem {
  /** Those of each operation. */
  readonly parameters?: readonly Part[]
  readonly get?: Operation
  readonly post?: Operation
  readonly put?: Operation
  readonly patch?: Operation
  readonly delete?: Operation
}

/** Operations by path: a template, with names in braces, such as `/users/{id}`. */
export type Paths = Readonly<Record<string, PathItem>>

/** A collection of the data, as far as a service describes it. */
export interface DescribedCollection {
  readonly name: string
  /** What the schema of a record is called, and operations for one have in their names: `Blog`. */
  readonly schemaName: string
  /** What operations for its list have in their names: `Blogs`. */
  readonly listName: string
  /** The id in a path. */
  readonly idParameter: Part
}

/** What the operations of a service depend on. */
export interface DocumentContext {
  readonly publicCollection: string | false
  /** Whether the public list shows changes. */
  readonly live: boolean
  /** Seconds that a token lasts. */
  readonly tokenLifetime: number
  /** A login that anybody may see: the sample one, or a name without its password. What is not shown is empty. */
  readonly shownLogin: { readonly email: string; readonly password: string }
  /** Whether there are logins that are not in the data. */
  readonly hasLogins: boolean
  /** The collection of this name, if the document lists one. */
  readonly collection: (name: string) => DescribedCollection | undefined
}

/** Describes a service: its operations, which go before those of resources. */
export type DescribeService = (context: DocumentContext) => Paths

/** The responses that the document has once for all operations, by status. */
export type SharedStatus = 304 | 401 | 404 | '4XX' | '5XX'

/** Refers to shared responses. `4XX` is any error with a sentence, such as 400 and 413; `5XX` is one of a change. */
export function sharedResponses(...statuses: readonly SharedStatus[]): Responses {
  return Object.fromEntries(statuses.map((status) => [status, reference('responses', String(status))]))
}

/** The kinds of parts that the document has once. */
export type SharedKind = 'schemas' | 'responses' | 'parameters' | 'headers'

/** Refers to a part that the document has once. */
export function reference(kind: SharedKind, name: string): Part {
  return { $ref: `#/components/${kind}/${name}` }
}

/**
 * The JSON in a response or in the body of a request.
 *
 * @param example default: the page makes one from the schema
 */
export function jsonContent(schema: Schema, example?: unknown): Part {
  return { 'application/json': { schema, example } }
}

/** A response with JSON. */
export function jsonResponse(description: string, schema: Schema, example?: unknown): Part {
  return { description, content: jsonContent(schema, example) }
}

/** The schema of an object of which nothing more is known. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true }

/** The schema of an object that has all of these properties, and no others. */
export function exactly(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** The schema of an error: what was wrong, in one sentence. */
export const ERROR = exactly({ error: { type: 'string' } })

/** The schema of an object without anything. */
export const EMPTY: Schema = { type: 'object', maxProperties: 0 }
