import type { Content, Operation, Parameter, Reference, Schema } from '../docs-addition'

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Only with a token. */
export const NEEDS_TOKEN = [{ bearerAuth: [] }]

/** By method. */
export type Operations = Readonly<Record<string, Operation>>

/** A path of the server and what can be done there. */
export interface Path {
  /** With names in braces: `/users/{id}`. */
  readonly path: string
  readonly operations: Operations
  /** What the names in the path stand for. */
  readonly parameters?: readonly Parameter[]
  /** Only where it is not served under all of the document's servers. */
  readonly servers?: readonly Server[]
}

export interface Server {
  readonly url: string
  readonly description: string
}

/** A path as the document has it. */
export interface PathItem extends Readonly<Partial<Record<(typeof METHODS)[number], Operation>>> {
  readonly parameters?: Operation['parameters']
  readonly servers?: readonly Server[]
}

/** What operations share, by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description: string }
  readonly servers: readonly Server[]
  readonly security: Operation['security']
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
export function json(schema: Schema): Content {
  return { 'application/json': { schema } }
}

/** Other operations in the place of these. */
export function mapOperations(
  operations: Operations,
  change: (operation: Operation, method: string) => Operation,
): Operations {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, change(operation, method)]),
  )
}
