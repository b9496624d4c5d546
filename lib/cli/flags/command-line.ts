import path from 'node:path'
import yargs, { type Options } from 'yargs'
import { ALL, ALL_ALONE } from '../../auth/allow-rules'
import { packageVersion } from '../../files/package-version'
import type { Warn } from '../../warn'
import { readObject } from '../user-files'
import type { Flag, FlagSettings } from './flags'
import { camelCase, defaultSettings, type Given, ROWS, readFlags, rowOf } from './read-flags'
import { UsageError } from './usage-error'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings extends FlagSettings {
  /** Path of the data file, or URL. */
  source: string
  /** The signing secret. */
  secret?: string
}

/**
 * Reads the command line. A flag comes before the environment, the environment before the configuration file.
 * An unknown flag is ignored with a warning; json-server ignores it silently.
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
  const { _: words, $0: _program, help, version, ...values } = parse(args)
  if (help || version) return undefined
  const [source = 'db.json', ...others] = words.map(String)
  if (values.user !== undefined && [source, ...others].some(isLogin))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const written = (flag: string) => `${flag.length === 1 ? '-' : '--'}${flag}`
  const flags = readFlags(asFlags(values), { written, warn })
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)
  const defaults = defaultSettings()
  const given = {
    ...configuration({ ...defaults, ...flags }.config, source, warn),
    ...readFlags({ port: env.PORT }, { written: () => 'PORT', warn }),
    ...flags,
  }
  const { allow = [], publicCollection = allow.includes(ALL) ? false : defaults.publicCollection } = given
  if (allow.length > 1 && allow.includes(ALL)) throw new UsageError(`--allow: ${ALL_ALONE}`)
  return { ...defaults, ...given, publicCollection, source, secret: env.JWT_SECRET }
}

/** Parses arguments as json-server does, unknown flags, too. Prints the help or the version if asked to. */
function parse(args: readonly string[]) {
  return (
    yargs(args)
      .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
      .usage(
        '$0 [flags] [data file]\n\n' +
          'Serves a JSON file as a REST API with a login. Default data file: db.json.',
      )
      .options(Object.fromEntries(ROWS.map((row) => [row.flag, yargsOptions(row)])))
      .version(packageVersion())
      .alias({ help: 'h', version: 'v' })
      .example('$0 --watch db.json --port 3001', '')
      .example('$0 db.json --user me:secret --docs', '')
      // All other sentences are in English.
      .detectLocale(false)
      .parserConfiguration({ 'strip-aliased': true })
      .exitProcess(false)
      .fail((message, error) => {
        throw new UsageError(`${message ?? error?.message}. See --help.`)
      })
      .parseSync()
  )
}

/**
 * The default is for the help only: yargs must not fill it in, because the configuration file may give
 * another value.
 */
function yargsOptions({ type = 'string', default: fallback, ...flag }: Flag): Options {
  return { ...flag, type, defaultDescription: String(fallback || '') }
}

/** What yargs has found, by the flags as they were given. */
function asFlags(values: Given): Given {
  const names = Object.keys(values)
  const given = Object.entries(values)
    // yargs adds a second name in camel case.
    .filter(([name]) => !names.some((other) => other !== name && camelCase(other) === name))
    // It reads `--no-cors`, which is a flag here, as `cors: false`.
    .map(([name, value]) =>
      value === false && rowOf(name)?.type !== 'boolean' ? [`no-${name}`, true] : [name, value],
    )
  return Object.fromEntries(given)
}

/** Whether a word is neither a path nor an address: to repeat it in a sentence may show a password. */
function isLogin(word: string): boolean {
  return /^[^:/\\]{2,}:(?!\/\/)/.test(word)
}

/** The settings in the configuration file, which json-server lets be the data file. */
function configuration(file: string | undefined, source: string, warn: Warn): Partial<FlagSettings> {
  if (file === undefined || path.resolve(file) === path.resolve(source)) return {}
  const content = readObject('configuration file', file)
  // Read as a flag, a list of this one word is the word itself.
  if (Array.isArray(content.allow) && content.allow.includes(ALL))
    throw new UsageError(`"allow" in ${file}: ${ALL_ALONE}`)
  return readFlags(content, { written: (flag) => `"${flag}"`, suffix: ` in ${file}`, warn })
}
