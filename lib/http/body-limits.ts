const MEGABYTE = 1024 * 1024

/** How large the body of a request can be, in bytes unless stated otherwise. A larger one gets 413. */
export const BODY_LIMITS = {
  /** Records and collections, as JSON: as in json-server. */
  json: 10 * MEGABYTE,
  /** Records, as a form: as in json-server. */
  form: 100 * 1024,
  /** A login. */
  login: 100 * 1024,
  /**
   * How many values in JSON, which take up to 0.3 s to parse. 10 MB of records have fewer; 10 MB of
   * coordinates have more.
   */
  values: 2_000_000,
  /** How many objects and arrays in JSON: parsing `{}` takes six times as long as parsing `0`. */
  objects: 500_000,
  /**
   * How many different field names in JSON, at any depth. A repeated name costs next to nothing; a new one
   * takes 2 us to parse, and 6 us more until its record is checked, stored and sent.
   */
  names: 20_000,
  /** How deep objects and arrays may be nested: far below what breaks lodash's and JSON's recursion. */
  depth: 100,
} as const
