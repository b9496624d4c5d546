/** The parts of OpenAPI 3.1 that the document of `--docs` uses, and what other options add to it. */

/** Any part: the others name the keywords that the code reads. */
export interface Part {
  readonly [keyword: string]: unknown
}

/** A JSON Schema, draft 2020-12. */
export interface Schema extends Part {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

export interface Operation extends Part {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description?: string
  /** What is needed instead of what the document says: nothing, nothing for some records, or a token. */
  readonly security?: readonly object[]
  readonly parameters?: readonly Part[]
  /** The responses, by status or range of statuses. */
  readonly responses: Readonly<Record<string, Part>>
}

/** The operations of a path, by method. */
export type Operations = Readonly<Record<string, Operation>>

/** A path template and what can be done there. */
export type PathEntry = readonly [template: string, operations: Operations]

/** What operations share, by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * What an option adds to the document and the page of `--docs`, which knows no option by name. References can
 * lead to the components below, to `#/components/schemas/Error`, and to `#/components/responses/badBody`:
 * what can be wrong with a request that has a body.
 */
export interface DocsAddition {
  /** Describes a tag of its operations. */
  readonly tag?: { readonly name: string; readonly description: string }
  /** Its own paths: its step responds before the rewriter, so that no rule leads to them. */
  readonly paths: readonly PathEntry[]
  /** Of every operation of the server. */
  readonly parameters?: readonly Part[]
  /** Those that every operation of the server can have. */
  readonly responses?: Operation['responses']
  readonly components?: Components
  /**
   * The file of a module for the page. It exports by default a function that takes the page, as
   * lib/options/docs/page/session.mjs makes it. It returns the headers that it adds to each request, and what
   * it does with the document, which it may change, and with the claims of a new token.
   */
  readonly pageModule?: string
}
