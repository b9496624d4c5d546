import { SANDBOX_NAME } from '../options/sandboxes/protocol'

/** The length of the longest name. */
const LONGEST = 64

/**
 * A name for a sandbox from any text, such as the title of a test or the path of its file. What a name cannot
 * hold becomes a hyphen; a hash at the end then keeps the names of different texts apart.
 *
 * @returns 1 to 64 letters, digits, dots, underscores and hyphens
 */
export function sandboxName(text: string): string {
  if (SANDBOX_NAME.test(text)) return text
  const name = text.replace(/[^A-Za-z0-9._-]/g, '-')
  const hash = hashOf(text)
  // The end of a path or a title tells more than its beginning.
  return `${name.slice(-(LONGEST - hash.length - 1))}-${hash}`
}

/** FNV-1a with 64 bits: a browser has no synchronous hash function. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const unit of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit.codePointAt(0) ?? 0)) * 0x100000001b3n)
  return hash.toString(36)
}
