import { existsSync } from 'node:fs'
import path from 'node:path'
import { readConfiguration } from './configuration'
import { FLAGS, type Flag, type FlagSettings } from './flags'
import { type Given, parseArguments, parseConfiguration, ROWS } from './parser'
import { UsageError } from './setting-values'
import { advice, unknownNames } from './unknown-names'

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
  const { given, words } = parsed
  const [source = 'db.json', ...others] = words
  const commandLine: Layer = { given, nameOf: (flag) => `--${flag}` }
  const environment: Layer = { given: { port: env.PORT || undefined }, nameOf: () => 'PORT' }
  const layers = [commandLine, environment, configuration(given.config, source, warn)]
  if (given.user !== undefined && words.some(isLogin))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  const settings = flagSettings(layers)
  const written = (flag: string) => `${flag.length === 1 ? '-' : '--'}${flag}`
  for (const name of unknownNames(given)) warn(`${written(name)} is ignored: ${advice(name, written)}`)
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)
  return {
    ...settings,
    source,
    secret: secret(env.JWT_SECRET),
    privateFiles: [source, ...privateFiles(settings)],
  }
}

/** Whether a word is neither a path nor an address: to repeat it in a sentence may show a password. */
function isLogin(word: string): boolean {
  return /^[^:/\\]{2,}:(?!\/\/)/.test(word)
}

function privateFiles(settings: FlagSettings): string[] {
  const names = new Set(Object.values(ROWS).map(({ isPrivate, setting }) => isPrivate && setting))
  const values: [string, unknown][] = Object.entries(settings)
  const files = values.flatMap(([name, value]) => (names.has(name) ? [value].flat() : []))
  return files.filter((file) => typeof file === 'string')
}

/** Each setting of the table, from the first layer that gives it, or from its default. */
function flagSettings(layers: readonly Layer[]): FlagSettings {
  const settings: Record<string, unknown> = {}
  for (const [flag, row] of Object.entries(ROWS)) {
    const layer = layers.find(({ given }) => given[flag] !== undefined)
    const value = layer === undefined ? defaultOf(row) : lastOf(layer.given[flag], row)
    const result = value === undefined ? undefined : row.read?.(value, layer?.nameOf(flag) ?? `--${flag}`)
    // Two flags can have the same setting: `--no-public` undoes `--public`.
    if (row.setting !== undefined) settings[row.setting] = result ?? settings[row.setting]
  }
  // TypeScript cannot follow a loop over the table.
  return settings as FlagSettings
}

/**
 * The value of a flag: the last one, when it was given several times. An empty value stands for the default, because scripts
 * say `--port $PORT`; but where the default is a file that happens to exist, it stands for no file, because configuration files
 * say `"routes": ""`.
 */
function lastOf(given: unknown, row: Flag): unknown {
  const values = [given].flat().filter((value) => value !== '' && value !== null)
  if (row.type === 'array') return values
  const last = values.at(-1)
  const isEmpty = last === undefined || (last === false && row.type === 'string')
  if (!isEmpty) return last
  return typeof row.default === 'function' ? undefined : row.default
}

function defaultOf({ default: fallback }: Flag): unknown {
  return typeof fallback === 'function' ? fallback() : fallback
}

function configuration(given: unknown, source: string, warn: Warn): Layer {
  const usual = FLAGS.config.default
  const file = String(lastOf(given, FLAGS.config))
  // The default file need not exist, and may be the data file.
  const isConfiguration = file !== usual || (existsSync(file) && path.resolve(file) !== path.resolve(source))
  const content = isConfiguration ? readConfiguration(file, '--config') : {}
  const unknown = unknownNames(content)
  const written = (flag: string) => `"${flag}"`
  for (const name of unknown) warn(`"${name}" in ${file} is ignored: ${advice(name, written)}`)
  const known = Object.entries(content).filter(([name]) => !unknown.includes(name))
  return { given: parseConfiguration(Object.fromEntries(known)), nameOf: (flag) => `"${flag}" in ${file}` }
}

/** @throws UsageError when the signing secret is empty */
function secret(value: string | undefined): string | undefined {
  if (value === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  return value
}
