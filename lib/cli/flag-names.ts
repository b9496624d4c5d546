import { FLAGS, type Flag } from './flags'
import { nearestName } from './nearest-name'

/** The table, for a look-up by any name. */
export const ROWS: Readonly<Record<string, Flag>> = FLAGS

/** What was given, by name. */
export type Given = Readonly<Record<string, unknown>>

/** The flags by each of their spellings: in camel case, too, and by their aliases. */
const SPELLINGS = new Map(
  Object.entries(ROWS).flatMap(([flag, { alias }]) => [
    [camelCase(flag), flag],
    [alias, flag],
  ]),
)

/** The flag that a name stands for, in any spelling; undefined when there is none. */
function flagOf(name: string): string | undefined {
  return SPELLINGS.get(camelCase(name))
}

/** Sorts what was given by name into what the flags were given, and the names that are no flags. */
export function sortNames(values: Given): { given: Given; unknown: string[] } {
  const given: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, value] of Object.entries(values)) {
    // yargs reads `--no-cors` as `cors: false`.
    const opposite = value === false ? flagOf(`no-${name}`) : undefined
    const flag = opposite ?? flagOf(name)
    if (flag !== undefined) given[flag] = opposite === undefined ? value : true
    // yargs adds every name in camel case.
    else if (!unknown.map(camelCase).includes(name)) unknown.push(name)
  }
  return { given, unknown }
}

/**
 * What to do about an unknown name.
 *
 * @param written writes a flag as it is written in the place of that name
 */
export function advice(name: string, written: (flag: string) => string): string {
  const opposite = flagOf(`no-${name}`)
  if (opposite !== undefined) return `it is on by default, and ${written(opposite)} turns it off.`
  const nearest = nearestName(name, Object.keys(ROWS))
  return nearest === undefined ? 'there is no such flag, see --help.' : `did you mean ${written(nearest)}?`
}

/** `read-only` as `readOnly`. */
export function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}
