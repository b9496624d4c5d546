const MEGABYTE = 1024 * 1024

/** How large the body of a request can be, in bytes unless stated otherwise. A larger one gets 413. */
export const BODY_LIMITS = {
  /** Records and collections, as JSON: as in json-server. */
  json: 10 * MEGABYTE,
  /** Records, as a form: as in json-server. */
  form: 100 * 1024,
  /**
   * A login, which anybody may send. With longer credentials, the token would not fit into the 16 kB that
   * Node reads of headers.
   */
  login: 10 * 1024,
  /** A sign-up, which anybody may send where it is open: many of them at once must not fill the memory. */
  signUp: 100 * 1024,
  /** How deep objects and arrays may be nested: far below what breaks lodash's and JSON's recursion. */
  depth: 100,
} as const
