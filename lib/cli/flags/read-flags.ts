import { existsSync } from 'node:fs'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { advice } from './advice'
import { type FlagRow, type Given, ROWS, rowOf, type SettledFlags } from './flags'

/**
 * The settings that were given in one place. An unknown name is ignored with a warning. An empty value counts
 * as not given. For a flag with a usual file it means no file, because configuration files say
 * `"routes": ""`.
 *
 * @param values by any spelling of the flags
 * @param source the variable of the environment that has the value. Default: each flag
 * @throws UsageError for a value that cannot be used
 */
export function readFlags(values: Given, warn: Warn, source?: string): Partial<SettledFlags> {
  const settings: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    // yargs reads `--no-cors` as `cors: false`, which files can say as well.
    const opposite = value === false ? rowOf(`no-${name}`) : undefined
    const row = opposite ?? rowOf(name)
    if (row === undefined) {
      warn(advice(name, value))
      continue
    }
    const result = readValue(row, opposite ? true : value, { warn, name: source ?? `--${row.flag}` })
    if (result !== undefined || row.usual !== undefined) settings[row.setting] = result
  }
  // Each value has the type that its row's `read` returns, which TypeScript cannot follow through the loop.
  return settings
}

/** How it is said what is wrong with a value, which has the name by which it was given. */
interface ValueReport {
  readonly warn: Warn
  readonly name: string
}

/**
 * The value of a setting: the last one that was given, or a list of all if the flag can be given several
 * times.
 *
 * @returns undefined if none was given
 * @throws UsageError for one that cannot be used
 */
function readValue(row: FlagRow, value: unknown, report: ValueReport): unknown {
  const { several, inFileOnly } = row
  // An empty list is none of what a flag takes, but for one that can be given several times.
  const isOne = inFileOnly || (!several && Array.isArray(value) && value.length === 0)
  const given = (isOne ? [value] : [value].flat()).filter((one) => !isEmpty(one, row))
  if (!several && new Set(given).size > 1)
    report.warn(`Only the last ${report.name} counts: ${given.at(-1)}.`)
  const results = given.slice(several ? 0 : -1).map((one) => readOne(row, one, report))
  return several ? results : results[0]
}

function readOne(row: FlagRow, given: unknown, { warn, name }: ValueReport): unknown {
  const { type, expected, isSecret, isSafeguard, inFileOnly, read } = row
  const result = Array.isArray(given) && !inFileOnly ? undefined : read(given)
  if (result !== undefined) return result
  const problem = `${name}${isSecret ? '' : `: ${JSON.stringify(given)}`} must be ${expected}.`
  if (type !== 'boolean' || isSafeguard) throw new UsageError(problem)
  // json-server starts with such a value, too.
  warn(problem)
  return undefined
}

/** Scripts say `--port $PORT` with a variable that is not set, and files `"static": false`. */
function isEmpty(value: unknown, { type }: FlagRow): boolean {
  return value === undefined || value === null || value === '' || (value === false && type !== 'boolean')
}

/** Each setting that has a default. */
export function defaultSettings(): SettledFlags {
  const given = ROWS.map(({ flag, usual, default: fallback }) => [
    flag,
    usual !== undefined && existsSync(usual) ? usual : fallback,
  ])
  const settings = readFlags(Object.fromEntries(given), () => {})
  if (!hasDefaults(settings)) throw new Error('A flag cannot read its own default.')
  return settings
}

/** Whether each setting is there whose type is never undefined: by its default, or because it is a list. */
function hasDefaults(settings: Partial<SettledFlags>): settings is SettledFlags {
  return ROWS.every(
    ({ setting, several, default: fallback }) => (!several && fallback === undefined) || setting in settings,
  )
}
