import { existsSync } from 'node:fs'
import path from 'node:path'
import { packageFolder } from '../../files/package'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { advice, onCommandLine, type Write } from './advice'
import { type FlagSettings, type Given, ROWS, type Row, rowOf } from './flags'

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
    const asked = findAsked(name, value)
    if (asked === undefined) {
      warn(`${write(name, value)} is ignored: ${advice(name, value, write)}`)
      continue
    }
    const { setting, usual } = asked.row
    const result = readValue(asked, write, warn)
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
function findAsked(name: string, value: unknown): Asked | undefined {
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
function readValue({ row, value }: Asked, write: Write, warn: Warn): unknown {
  const { flag, type, several, expected, isSecret, isWhole } = row
  if (isWhole) return row.read(value)
  const given = [value].flat().filter((one) => !isEmpty(one, row))
  const last = given.at(-1)
  if (last === undefined) return several ? [] : undefined
  if (type === 'boolean') {
    if (/^(true|false)$/.test(String(last))) return row.read(last)
    // json-server starts with such a value, too.
    warn(`${write(flag)}: ${JSON.stringify(last)} is ignored: write true or false.`)
    return undefined
  }
  if (!several && new Set(given).size > 1) warn(`Only the last ${write(flag)} counts: ${last}.`)
  const results = given.slice(several ? 0 : -1).map((one) => {
    const result = row.read(one)
    if (result !== undefined || expected === undefined) return result
    const shown = isSecret ? '' : `: ${JSON.stringify(one)}`
    throw new UsageError(`${write(flag)}${shown} must be ${expected}.`)
  })
  return several ? results : results[0]
}

/** Scripts say `--port $PORT` with a variable that is not set, and files `"static": false`. */
function isEmpty(value: unknown, { type }: Row): boolean {
  return value === undefined || value === null || value === '' || (value === false && type !== 'boolean')
}

/** Each setting that has a default, for this source of data. */
export function defaultSettings(source: string): FlagSettings {
  const given = ROWS.map(({ flag, usual, default: fallback }) => [
    flag,
    usual !== undefined && isUsed(usual, source) ? usual : fallback,
  ])
  const settings = readFlags(Object.fromEntries(given), onCommandLine, () => {})
  if (!hasDefaults(settings)) throw new Error('A flag cannot read its own default.')
  return settings
}

/** Whether a usual file is used. The one that a clone of this package has is for the sample data alone. */
function isUsed(usual: string, source: string): boolean {
  const sample = path.join(packageFolder(), 'db.json')
  const isOfSample = usual === 'routes.json' && path.resolve() === path.dirname(sample)
  return existsSync(usual) && (!isOfSample || path.resolve(source) === sample)
}

/** Whether each setting is there whose type is never undefined: by its default, or because it is a list. */
function hasDefaults(settings: Partial<FlagSettings>): settings is FlagSettings {
  return ROWS.every(
    ({ setting, several, default: fallback }) => (!several && fallback === undefined) || setting in settings,
  )
}
