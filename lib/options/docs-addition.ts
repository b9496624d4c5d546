/** The parts of OpenAPI 3.1 that the document of `--docs` uses, and what other options add to it. */

/** Has the keywords that the code reads, and any other. */
interface Part {
  readonly [keyword: string]: unknown
}

/** A JSON Schema, draft 2020-12. */
export interface Schema extends Part {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface Reference {
  readonly $ref: string
}

export interface Parameter extends Part {
  readonly name: string
  /** Its place: `path`, `query` or `header`. */
  readonly in: string
  readonly description: string
  readonly schema: Schema
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Response extends Part {
  readonly description: string
  readonly content?: Content
}

export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** Only where no token is needed, or where none is needed for some of the records. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  /** By status, or range of statuses. */
  readonly responses: Readonly<Record<string, Response | Reference>>
}

/** A path template and what can be done there, by method. */
export type PathEntry = readonly [template: string, operations: Readonly<Record<string, Operation>>]

/**
 * What an option adds to the document and the page of `--docs`, which knows no option by name. References can
 * lead to the components below, to `#/components/schemas/Error`, and to `#/components/responses/badBody`:
 * what can be wrong with a request that has a body.
 */
export interface DocsAddition {
  readonly tag: { readonly name: string; readonly description: string }
  /** Its own paths, to which no rewrite rule leads. */
  readonly paths: readonly PathEntry[]
  /** What it adds to every operation of the server. */
  readonly everywhere: Required<Pick<Operation, 'parameters' | 'responses'>>
  /** What these refer to, by kind and name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /**
   * The file of a module for the page. It exports by default a function that takes the page, as
   * lib/options/docs/page/page.mjs makes it, and may change the document. It returns the headers that it adds
   * to each request, and what it does with the claims of a new token.
   */
  readonly pageModule: string
}
