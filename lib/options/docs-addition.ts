/** The parts of OpenAPI 3.1 that the document of `--docs` uses, and what other options add to it. */

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
  readonly in: string
  readonly required?: boolean
  readonly description: string
  /** For an object: each of its fields is sent as a separate query parameter. */
  readonly style?: 'form'
  readonly explode?: true
  readonly schema: Schema
  readonly example?: unknown
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export interface RequestBody {
  readonly required: boolean
  readonly content: Content
}

/** By status, or range of statuses. */
export type Responses = Readonly<Record<string, Response | Reference>>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  /** Only where no token is needed, or where none is needed for some of the records. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses: Responses
}

/** What can be done at one path. */
export interface PathItem
  extends Readonly<Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>> {
  readonly parameters?: Operation['parameters']
  /** Only where it is not served under all of the document's servers. */
  readonly servers?: readonly { readonly url: string; readonly description: string }[]
}

/** A path template and what can be done there. */
export type PathEntry = readonly [template: string, item: PathItem]

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
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Response>>
  }
  /**
   * The file of a module for the page. It exports by default a function that takes the page, as
   * lib/options/docs/page/page.mjs makes it, and returns what is done there with each request and document.
   */
  readonly pageModule: string
}
