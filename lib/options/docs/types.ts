import type { Content, Operation, PathItem, Reference, Schema } from '../docs-addition'

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Only with a token. */
export const NEEDS_TOKEN = [{ bearerAuth: [] }] as const

/** With a token or, for what the description names, without one. */
export const OPTIONAL_TOKEN = [{}, { bearerAuth: [] }] as const

export type Server = NonNullable<PathItem['servers']>[number]

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
