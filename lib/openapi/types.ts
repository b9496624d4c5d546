/** The parts of OpenAPI 3.1 that the document uses. */

/** A JSON Schema, draft 2020-12: the keywords that the code reads, and any other. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [keyword: string]: unknown
}

export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  /** For an object: each of its fields is sent as a separate query parameter. */
  readonly style?: 'form'
  readonly explode?: true
  readonly schema: Schema
  readonly example?: unknown
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** Only where it is not as for the whole document. */
  readonly security?: readonly [] | typeof OPTIONAL_TOKEN | typeof NEEDS_TOKEN
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export const NEEDS_TOKEN = [{ bearerAuth: [] }] as const

/** With a token or, for what the description names, without one. */
export const OPTIONAL_TOKEN = [{}, { bearerAuth: [] }] as const

export interface Server {
  readonly url: string
  readonly description: string
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** What can be done at one path. */
export interface PathItem extends Readonly<Partial<Record<(typeof METHODS)[number], Operation>>> {
  readonly parameters?: Operation['parameters']
  /** Only where it is not served under all of the document's servers. */
  readonly servers?: readonly Server[]
}

/** A path template and what can be done there. */
export type PathEntry = readonly [template: string, item: PathItem]

/** What operations share, by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly Server[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** The server, without a prefix that a rewrite rule gives. */
export const HERE: Server = { url: '/', description: 'The server that this document comes from.' }

export function referTo(kind: string, name: string): Reference & Schema {
  return { $ref: `#/components/${kind}/${name}` }
}

/** A JSON body. */
export function json(schema: Schema, example?: unknown): Content {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}

/** An object with any fields, which generated clients would take for one without fields. */
export const ANY_OBJECT: Schema = { type: 'object', additionalProperties: true }

/** A path item with other operations. */
export function mapOperations(
  item: PathItem,
  change: (operation: Operation, method: (typeof METHODS)[number]) => Operation,
): PathItem {
  const changed = METHODS.flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [[method, change(operation, method)] as const]
  })
  return { ...item, ...Object.fromEntries(changed) }
}
