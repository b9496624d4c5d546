declare module 'json-parse-helpfulerror' {
  /**
   * JSON.parse whose SyntaxError says in its first line what is wrong and ends it with `at <line>:<column>`.
   */
  export function parse(text: string): unknown
}
