import type { Operation, Operations, Part, PathEntry } from '../docs-addition'

/** The `security` of an operation that needs a token. */
export const NEEDS_TOKEN = [{ bearerAuth: [] }]

/** A path of the server and what can be done there. */
export interface Path {
  /** A template, with names in braces: `/users/{id}`. */
  readonly path: string
  readonly operations: Operations
  /** Only where it is not served under all of the document's servers. */
  readonly servers?: readonly Server[]
}

export interface Server {
  readonly url: string
  readonly description: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A path as the document has it. */
export interface PathItem extends Readonly<Partial<Record<Method, Operation>>> {
  readonly parameters?: readonly Part[]
  readonly servers?: readonly Server[]
}

/** The server, without a prefix that a rewrite rule gives. */
export const HERE: Server = { url: '/', description: 'The server that this document comes from.' }

export function toPath([path, operations]: PathEntry): Path {
  return { path, operations }
}

export function referTo(kind: string, name: string): Part {
  return { $ref: `#/components/${kind}/${name}` }
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
