import { existsSync } from 'node:fs'
import path from 'node:path'
import { readConfiguration } from './configuration'
import { advice, camelCase, type Given, ROWS, sortNames } from './flag-names'
import { FLAGS, type FlagSettings } from './flags'
import { parseArguments } from './parser'
import { UsageError } from './setting-values'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings extends FlagSettings {
  /** Path of the data file, or URL. */
  source: string
  /** The signing secret. */
  secret?: string
  /** Paths of the files that the server reads: no static folder may give them out. */
  privateFiles: string[]
}

/** Called with one sentence for each flag, word or rule that is ignored. */
export type Warn = (sentence: string) => void

/** What one place gives, and how a flag is written there. */
interface Layer {
  given: Given
  nameOf: (flag: string) => string
}

/**
 * Reads the command line. A flag comes before the environment, the environment before the configuration file. An unknown flag is
 * ignored with a warning; json-server ignores it silently.
 *
 * @param args what follows the name of the program
 * @returns undefined when the help or the version was asked for, and has been printed
 * @throws UsageError for a value that cannot be used or a file that is missing
 */
export function readCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  warn: Warn,
): Settings | undefined {
  const parsed = parseArguments(args)
  if (parsed === undefined) return undefined
  const { given, unknown } = sortNames(parsed.values)
  const [source = 'db.json', ...others] = parsed.words
  if (given.user !== undefined && parsed.words.some(isLogin))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  const written = (flag: string) => `${flag.length === 1 ? '-' : '--'}${flag}`
  for (const name of unknown) warn(`${written(name)} is ignored: ${advice(name, written)}`)
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)

  const commandLine = { given, nameOf: written }
  const { config } = merge([defaults(), commandLine])
  const environment = { given: { port: env.PORT }, nameOf: () => 'PORT' }
  const settings = merge([defaults(), configuration(config, source, warn), environment, commandLine])
  const { routes, middlewares, cert, key } = settings
  const files = [source, config, routes, ...middlewares, cert, key]
  return {
    ...settings,
    source,
    secret: secret(env.JWT_SECRET),
    privateFiles: files.filter((file) => file !== undefined),
  }
}

/** Whether a word is neither a path nor an address: to repeat it in a sentence may show a password. */
function isLogin(word: string): boolean {
  return /^[^:/\\]{2,}:(?!\/\/)/.test(word)
}

/**
 * Each setting of the table, from the last layer that gives it. An empty value gives nothing, because scripts say `--port $PORT`.
 * Where a file is used that happens to exist, it stands for no file, because configuration files say `"routes": ""`.
 */
function merge(layers: readonly Layer[]): FlagSettings {
  const settings: Record<string, unknown> = {}
  for (const { given, nameOf } of layers) {
    for (const [flag, row] of Object.entries(ROWS)) {
      if (!(flag in given)) continue
      const values = [given[flag]].flat().filter((value) => value !== '' && value !== null)
      // Of several the last, as in json-server.
      const value = row.type === 'array' ? values : values.at(-1)
      const isEmpty = value === undefined || (value === false && row.type === undefined)
      const result = isEmpty ? undefined : row.read(value, nameOf(flag))
      // Two flags can have the same setting: `--no-public=false` leaves `--public` as it is.
      if (result !== undefined || row.usual !== undefined) settings[row.setting ?? camelCase(flag)] = result
    }
  }
  // TypeScript cannot follow a loop over the table.
  return settings as FlagSettings
}

function defaults(): Layer {
  const rows = Object.entries(ROWS).map(([flag, { usual, default: fallback }]) => [
    flag,
    usual !== undefined && existsSync(usual) ? usual : fallback,
  ])
  return { given: Object.fromEntries(rows), nameOf: (flag) => `--${flag}` }
}

function configuration(file: string, source: string, warn: Warn): Layer {
  // The default file need not exist, and may be the data file.
  const isUsed =
    file !== FLAGS.config.default || (existsSync(file) && path.resolve(file) !== path.resolve(source))
  const { given, unknown } = sortNames(isUsed ? readConfiguration(file) : {})
  const written = (flag: string) => `"${flag}"`
  for (const name of unknown) warn(`"${name}" in ${file} is ignored: ${advice(name, written)}`)
  return { given, nameOf: (flag) => `"${flag}" in ${file}` }
}

/** @throws UsageError when the signing secret is empty */
function secret(value: string | undefined): string | undefined {
  if (value === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  return value
}
