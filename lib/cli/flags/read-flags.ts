import { existsSync } from 'node:fs'
import { camelCase, decamelize } from 'yargs-parser'
import { ALL } from '../../auth/allow-rules'
import { nearestName } from '../../nearest-name'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { type FlagSettings, type Given, ROWS, type Row } from './flags'

/** The row of a flag, by its alias or its name, in camel case, too. */
function rowOf(name: string): Row | undefined {
  const wanted = camelCase(name)
  return ROWS.find(({ flag, alias }) => alias === name || camelCase(flag) === wanted)
}

/** Names a flag as it is written in one place, to turn it on or, with the value false, off. */
type Write = (flag: string, value?: unknown) => string

export const onCommandLine: Write = (flag, value) => {
  const name = decamelize(value === false ? `no-${flag}` : flag)
  return name.length === 1 ? `-${name}` : `--${name}`
}

export function inFile(file: string): Write {
  return (flag) => `"${flag}" in ${file}`
}

/**
 * The settings that were given in one place. An unknown name is ignored with a warning. An empty value counts
 * as not given. For a flag with a usual file it means no file, because configuration files say
 * `"routes": ""`.
 *
 * @param values by any spelling of the flags
 * @param write names a flag in a sentence
 * @throws UsageError for a value that cannot be used
 */
export function readFlags(values: Given, write: Write, warn: Warn): Partial<FlagSettings> {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const asked = askedFor(name, value)
    if (asked === undefined) {
      warn(`${write(name, value)} is ignored: ${advice(name, value, write)}`)
      continue
    }
    const { setting, usual } = asked.row
    const result = readValue(asked, write)
    // Two flags can have the same setting: `--no-public=false` leaves `--public` as it is.
    if (result !== undefined || usual !== undefined) settings[setting] = result
  }
  // Each value has the type that its row's `read` returns, which TypeScript cannot follow through the loop.
  return settings
}

/** A flag that was given, and its value. */
interface Asked {
  row: Row
  value: unknown
}

/**
 * What a name and its value ask for. yargs reads `--no-cors` as `cors: false`, which files can say as well:
 * where the table has the row `no-cors`, that asks for it.
 *
 * @returns undefined for an unknown name
 */
function askedFor(name: string, value: unknown): Asked | undefined {
  const opposite = value === false ? rowOf(`no-${name}`) : undefined
  if (opposite !== undefined) return { row: opposite, value: true }
  const row = rowOf(name)
  return row && { row, value }
}

/**
 * The value of a setting: the last one that was given, or a list of all if the flag can be given several
 * times.
 *
 * @returns undefined if none was given
 * @throws UsageError for one that cannot be used
 */
function readValue({ row, value }: Asked, write: Write): unknown {
  const { several, expected, isSecret, isWhole } = row
  if (isWhole) return row.read(value)
  const given = [value].flat().filter((one) => !isEmpty(one, row))
  const results = given.slice(several ? 0 : -1).map((one) => {
    const result = row.read(one)
    if (result !== undefined || expected === undefined) return result
    const shown = isSecret ? '' : `: ${JSON.stringify(one)}`
    throw new UsageError(`${write(row.flag)}${shown} must be ${expected}.`)
  })
  return several ? results : results[0]
}

/** Scripts say `--port $PORT` with a variable that is not set, and files `"static": false`. */
function isEmpty(value: unknown, { type }: Row): boolean {
  return value === undefined || value === null || value === '' || (value === false && type !== 'boolean')
}

/** Names that people try for a server without a login. None is near to `allow`. */
const OPEN_TO_ALL = ['no-auth', 'disable-auth', 'skip-auth', 'no-login', 'no-token', 'allow-all'].map(
  (name) => camelCase(name),
)

/** What to do about an unknown name. */
function advice(name: string, value: unknown, write: Write): string {
  const wanted = value === false ? `no-${name}` : name
  const opposite = rowOf(`no-${wanted}`)
  if (opposite !== undefined) return `it is on by default, and ${write(opposite.flag)} turns it off.`
  if (OPEN_TO_ALL.includes(camelCase(wanted))) return `did you mean --allow ${ALL}?`
  const nearest = nearestName(
    wanted,
    ROWS.filter(({ inFileOnly }) => !inFileOnly || write !== onCommandLine).map(({ flag }) => flag),
  )
  return nearest ? `did you mean ${write(nearest)}?` : 'there is no such flag, see --help.'
}

/** Each setting that has a default. */
export function defaultSettings(): FlagSettings {
  const given = ROWS.map(({ flag, usual = '', default: fallback }) => [
    flag,
    existsSync(usual) ? usual : fallback,
  ])
  const settings = readFlags(Object.fromEntries(given), onCommandLine, () => {})
  if (!hasDefaults(settings)) throw new Error('A flag cannot read its own default.')
  return settings
}

/** Whether each setting is there whose type is never undefined: by its default, or because it is a list. */
function hasDefaults(settings: Partial<FlagSettings>): settings is FlagSettings {
  return ROWS.every(
    ({ setting, several, default: fallback }) => (!several && fallback === undefined) || setting in settings,
  )
}
