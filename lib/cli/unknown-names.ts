import { nearestName } from './nearest-name'
import { type Given, ROWS } from './parser'

/** The flags and their aliases, in camel case: yargs takes a name both so and with hyphens. */
const SPELLINGS = new Set([
  ...Object.entries(ROWS).flatMap(([name, { alias }]) => [camelCase(name), alias ?? name]),
  ...['help', 'h', 'version', 'v', '$0'],
])

/** The names that are no flags. yargs adds each in camel case, too: those are left out. */
export function unknownNames(given: Given): string[] {
  const unknown = Object.keys(given).filter((name) => !SPELLINGS.has(camelCase(name)))
  const added = new Set(unknown.filter((name) => name.includes('-')).map(camelCase))
  return unknown.filter((name) => !added.has(name))
}

/**
 * What to do about an unknown name.
 *
 * @param written writes a flag as it is written in the place of that name
 */
export function advice(name: string, written: (flag: string) => string): string {
  if (Object.hasOwn(ROWS, `no-${name}`)) {
    return `it is on by default, and ${written(`no-${name}`)} turns it off.`
  }
  const nearest = nearestName(name, Object.keys(ROWS))
  return nearest === undefined ? 'there is no such flag, see --help.' : `did you mean ${written(nearest)}?`
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}
