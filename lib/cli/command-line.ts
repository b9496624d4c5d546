import { existsSync } from 'node:fs'
import path from 'node:path'
import { advice, camelCase, type Given, ROWS, sortNames } from './flag-names'
import { FLAGS, type FlagSettings } from './flags'
import { parseArguments } from './parser'
import { readObject } from './read-object'
import { moduleFile, UsageError } from './setting-values'

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

  const flags = read(given, written)
  const { config = FLAGS.config.default } = flags
  const settings = {
    ...defaults(),
    ...configuration(config, source, warn),
    ...read({ port: env.PORT }, () => 'PORT'),
    ...flags,
  }
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
 * The settings that one place gives. An empty value gives nothing, because scripts say `--port $PORT`; where a file is used that
 * happens to exist, it stands for no file, because configuration files say `"routes": ""`.
 *
 * @param nameOf how a flag is written there
 */
function read(given: Given, nameOf: (flag: string) => string): Partial<FlagSettings> {
  const settings: Record<string, unknown> = {}
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
  return settings
}

function defaults(): FlagSettings {
  const given = Object.entries(ROWS).map(([flag, { usual, default: fallback }]) => [
    flag,
    usual !== undefined && existsSync(usual) ? usual : fallback,
  ])
  // TypeScript cannot follow a loop over the table.
  return read(Object.fromEntries(given), (flag) => flag) as FlagSettings
}

function configuration(file: string, source: string, warn: Warn): Partial<FlagSettings> {
  // The default file need not exist, and may be the data file.
  const isUsed =
    file !== FLAGS.config.default || (existsSync(file) && path.resolve(file) !== path.resolve(source))
  if (!isUsed) return {}
  const what = 'configuration file'
  const { given, unknown } = sortNames(readObject(moduleFile(what, file, '--config'), what))
  const written = (flag: string) => `"${flag}"`
  for (const name of unknown) warn(`"${name}" in ${file} is ignored: ${advice(name, written)}`)
  return read(given, (flag) => `"${flag}" in ${file}`)
}

/** @throws UsageError when the signing secret is empty */
function secret(value: string | undefined): string | undefined {
  if (value === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  return value
}
