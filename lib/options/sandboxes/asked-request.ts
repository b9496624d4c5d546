/** A request of the application under test, as the mock saw it. */
export interface AskedRequest {
  method: string
  /** As it was sent, without the query. */
  path: string
  /** The path behind the rewrite rules, if that is another one. */
  rewritten?: string
  query: Record<string, unknown>
  /** The parsed body; null if none was parsed, as in a request without a token. */
  body?: unknown
  /** 0 if no response was sent. */
  status: number
  /** Whether the body is left out, because it is too large or nested too deep. */
  truncated?: true
}

/** Which requests are asked for. */
export interface RequestFilter {
  method?: string
  /** A path, or a pattern as in a rule: `/blogs/:id`; as it was sent, or as the rewrite rules make it. */
  path?: string
}
