import type { Part, Paths, Responses } from '../http/operations'

/** What an option adds to the document and the page of `--docs`, which knows no option by name. */
export interface DocsAddition {
  /** Its own operations. */
  readonly paths: Paths
  /** Parameters of every operation of the server, by name. */
  readonly parameters?: Readonly<Record<string, Part>>
  /** Responses that every operation of the server can have. */
  readonly responses?: Responses
  /**
   * The file of a module for the page. It exports by default a function that takes the page, as
   * lib/options/docs/page/session.mjs makes it. It returns the headers that it adds to each request, and what
   * it does with the document, which it may change, and with the claims of a new token.
   */
  readonly pageModule?: string
}
