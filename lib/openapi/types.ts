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
  readonly examples?: readonly unknown[]
}

export interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description: string
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

export interface Reply {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Reply | Reference>>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What can be done at one path. */
export type PathItem = { readonly [method in Method]?: Operation }

/** A path template and what can be done there. Where two say something of the same, the first is right. */
export type PathEntry = readonly [template: string, item: PathItem]

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Reply>>
    readonly headers: Readonly<Record<string, Header>>
  }
}

/** Needs a token. */
export const PROTECTED: Operation['security'] = [{ bearerAuth: [] }]
/** Needs none. */
export const PUBLIC: Operation['security'] = []

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

/** A JSON body. */
export function json(schema: Schema, example?: unknown): Record<string, Media> {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } }
}
