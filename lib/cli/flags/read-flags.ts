import { existsSync } from 'node:fs'
import { nearestName } from '../../data/nearest-name'
import type { Warn } from '../../warn'
import type { Reloader } from '../reloading'
import { FLAG_GROUPS, type Flag, type FlagOptions, type FlagSettings } from './flags'
import { UsageError } from './usage-error'

/** What was given, by name. */
export type Given = Readonly<Record<string, unknown>>

/** A row of the table with the names that it has. */
interface Row extends Flag {
  flag: string
  setting: string
  /** The heading in the help. */
  group: string
}

/** The table, to be read by any name. */
export const ROWS: readonly Row[] = Object.entries(FLAG_GROUPS).flatMap(([group, flags]) =>
  Object.entries<Flag>(flags).map(([flag, row]) => ({ setting: flag, ...row, flag, group })),
)

/** The row of a flag, by its alias or its name, in camel case, too. */
export function rowOf(name: string): Row | undefined {
  return ROWS.find(({ flag, alias }) => alias === name || camelCase(flag) === camelCase(name))
}

/** `read-only` as `readOnly`. */
export function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}

/** Where flags are given: on the command line, in a file. */
interface Place {
  /** A flag as it is written there. */
  written: (flag: string) => string
  /** What follows the flag in a sentence. Default: nothing. */
  suffix?: string
  /** Told of each flag that is ignored. */
  warn: Warn
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
  for (const [name, given] of Object.entries(values)) {
    const row = rowOf(name)
    if (row === undefined) {
      warn(`${written(name)}${suffix} is ignored: ${advice(name, written)}`)
      continue
    }
    const { type, expected, isSecret } = row
    const isEmpty = (value: unknown) => (value ?? '') === '' || (value === false && type !== 'boolean')
    const found = [given].flat().filter((value) => !isEmpty(value))
    // The last of several counts, as in json-server.
    const values = (type === 'array' ? found : found.slice(-1)).map((value) => {
      const result = row.read(value)
      if (result !== undefined || expected === undefined) return result
      const shown = isSecret ? '' : `: ${JSON.stringify(value)}`
      throw new UsageError(`${written(row.flag)}${suffix}${shown} must be ${expected}.`)
    })
    const result = type === 'array' ? values : values[0]
    // Two flags can have the same setting: `--no-public=false` leaves `--public` as it is.
    if (result !== undefined || row.usual !== undefined) settings[row.setting] = result
  }
  return settings
}

/** What to do about an unknown name. */
function advice(name: string, written: Place['written']): string {
  const opposite = rowOf(`no-${name}`)
  if (opposite !== undefined) return `it is on by default, and ${written(opposite.flag)} turns it off.`
  const nearest = nearestName(
    name,
    ROWS.map(({ flag }) => flag),
  )
  return nearest === undefined ? 'there is no such flag, see --help.' : `did you mean ${written(nearest)}?`
}

/** Each setting that has a default. */
export function defaultSettings(): FlagSettings {
  const given = ROWS.map(({ flag, usual, default: fallback }) => [
    flag,
    usual !== undefined && existsSync(usual) ? usual : fallback,
  ])
  // TypeScript cannot follow a loop over the table.
  return readFlags(Object.fromEntries(given), { written: String, warn: () => {} }) as FlagSettings
}

/**
 * What `createApp` takes: the settings, of which those that name files become what the files hold.
 *
 * @throws UsageError or DataError when a file cannot be used
 */
export function flagOptions(settings: FlagSettings, reloader: Reloader): FlagOptions {
  const options: Record<string, unknown> = { ...settings }
  for (const { setting, start } of ROWS) {
    const value = options[setting]
    if (start !== undefined && value !== undefined) options[setting] = start(value, reloader)
  }
  return options as FlagOptions
}

/** What the start says of the settings, a sentence for each. */
export function flagNotes(settings: FlagSettings, url: string): string[] {
  const values: Given = { ...settings }
  return ROWS.map(({ setting, note, hint }) =>
    values[setting] ? note?.(values[setting], url) : hint,
  ).filter((sentence) => typeof sentence === 'string')
}
