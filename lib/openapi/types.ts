/** The parts of OpenAPI 3.1 that the document uses. */

/** A JSON Schema, draft 2020-12. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly maxProperties?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
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

export interface Header {
  readonly description: string
  readonly schema: Schema
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

export interface RequestBody {
  readonly required: boolean
  readonly content: Readonly<Record<string, Media>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Server {
  readonly url: string
  readonly description: string
}

interface OperationHead {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  /** Only where it is not served under all of the document's servers. */
  readonly servers?: readonly Server[]
}

export interface Operation extends OperationHead {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response>>
}

/** An operation that refers to its parts in the components. */
export interface SharedOperation extends OperationHead {
  readonly parameters?: readonly Reference[]
  readonly requestBody?: Reference
  readonly responses: Readonly<Record<string, Reference>>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What can be done at one path. */
export type PathItem<Described = Operation> = { readonly [method in Method]?: Described }

/** A path template and what can be done there. The first of two entries for one operation wins. */
export type PathEntry = readonly [template: string, item: PathItem]

/** The parts that operations share. */
export interface SharedParts {
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly requestBodies: Readonly<Record<string, RequestBody>>
  readonly responses: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, Header>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly Server[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem<SharedOperation>>>
  readonly components: SharedParts & {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/** The server, without a prefix that a rewrite rule gives. */
export const HERE: Server = { url: '/', description: 'The server that this document comes from.' }

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

/** A JSON body. */
export function json(schema: Schema, example?: unknown): Record<string, Media> {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}
