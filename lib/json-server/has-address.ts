/**
 * Whether an address leads to a resource.
 *
 * @param name of the resource, which is compared with the path of a request before anything is decoded
 */
export function hasAddress(name: string): boolean {
  return /^[!-~]*$/.test(name) && !/[#%?]|^\.{1,2}$/.test(name)
}
