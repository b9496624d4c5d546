/**
 * Whether an address leads to a resource. None leads to `ユーザー` or `my posts`, because json-server compares
 * a name with the path as it was sent, encoded: the start warns of such a collection, and does not print an
 * address that would respond with 404.
 */
export function hasAddress(name: string): boolean {
  return /^[!-~]*$/.test(name) && !/[#%?]|^\.{1,2}$/.test(name)
}
