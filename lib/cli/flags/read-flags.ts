import { existsSync } from 'node:fs'
import { nearestName } from '../../nearest-name'
import type { Warn } from '../../warn'
import { FLAGS, type Flag, type FlagSettings } from './flags'

/** What was given, by name. */
export type Given = Readonly<Record<string, unknown>>

/** Where flags are given: on the command line, in a file. */
interface Place {
  /** A flag as it is written there. */
  written: (flag: string) => string
  /** What follows the flag in a sentence. Default: nothing. */
  suffix?: string
  /** Told of each flag that is ignored. */
  warn: Warn
}

/** The table, to be read by any name. */
export const ROWS: Readonly<Record<string, Flag>> = FLAGS

/** The flags by each of their spellings: in camel case, too, and by their aliases. */
const SPELLINGS = new Map(
  Object.entries(ROWS).flatMap(([flag, { alias = flag }]) => [
    [camelCase(flag), flag],
    [alias, flag],
  ]),
)

/** Each setting that has a default. */
export function defaultSettings(): FlagSettings {
  const given = Object.entries(ROWS).map(([flag, { usual, default: fallback }]) => [
    flag,
    usual !== undefined && existsSync(usual) ? usual : fallback,
  ])
  // TypeScript cannot follow a loop over the table.
  return readFlags(Object.fromEntries(given), { written: String, warn: () => {} }) as FlagSettings
}

/**
 * The settings that were given in one place. An unknown name is ignored with a warning. An empty value counts
 * as not given, because scripts say `--port $PORT`; for a flag with a usual file it means no file, because
 * configuration files say `"routes": ""`.
 *
 * @param values by any spelling of the flags
 * @throws UsageError for a value that cannot be used
 */
export function readFlags(values: Given, { written, suffix = '', warn }: Place): Partial<FlagSettings> {
  const settings: Record<string, unknown> = {}
  const names = Object.keys(values)
  for (const [name, given] of Object.entries(values)) {
    const known = SPELLINGS.get(camelCase(name))
    // `--no-quiet` is `--quiet=false`, as in json-server.
    const flag = known ?? (name.startsWith('no-') ? SPELLINGS.get(camelCase(name.slice(3))) : undefined)
    const row = ROWS[flag ?? '']
    if (flag === undefined || row === undefined) {
      // yargs adds every name in camel case.
      if (names.find((other) => camelCase(other) === camelCase(name)) === name)
        warn(`${written(name)}${suffix} is ignored: ${advice(name, written)}`)
      continue
    }
    const found = [known === undefined ? false : given]
      .flat()
      .filter((value) => value !== '' && value !== null)
    // The last of several counts, as in json-server.
    const value = row.type === 'array' ? found : found.at(-1)
    const isEmpty = value === undefined || (value === false && row.type === undefined)
    const result = isEmpty ? undefined : row.read(value, written(flag) + suffix)
    // Two flags can have the same setting: `--no-public=false` leaves `--public` as it is.
    if (result !== undefined || row.usual !== undefined) settings[row.setting ?? camelCase(flag)] = result
  }
  return settings
}

/** What to do about an unknown name. */
function advice(name: string, written: Place['written']): string {
  const opposite = SPELLINGS.get(camelCase(`no-${name}`))
  if (opposite !== undefined) return `it is on by default, and ${written(opposite)} turns it off.`
  const nearest = nearestName(name, Object.keys(ROWS))
  return nearest === undefined ? 'there is no such flag, see --help.' : `did you mean ${written(nearest)}?`
}

/** `read-only` as `readOnly`. */
function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}
