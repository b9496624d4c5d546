import path from 'node:path'
import yargs, { type Options } from 'yargs'
import { ALL } from '../../auth/allow-rules'
import { packageFolder, packageVersion } from '../../files/package'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { asObject, fromFile } from '../user-files'
import { type FlagSettings, ROWS, type Row } from './flags'
import { COMMAND_LINE, defaultSettings, ENVIRONMENT, inFile, readFlags } from './read-flags'

/** What the command line, the configuration file and the environment ask for together. */
export type Settings = FlagSettings & {
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
  const parser = parserOf(args)
  const { _: given, $0: _program, help, version, ...values } = parser.parseSync()
  const words = given.map(String)
  // As in json-server, the word alone asks for it, too.
  if (help || (words.length === 1 && words[0] === 'help')) {
    parser.showHelp('log')
    return undefined
  }
  if (version) {
    console.log(packageVersion())
    return undefined
  }
  const [source = 'db.json', ...others] = words
  if (values.user && words.some((word) => LOGIN.test(word)))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const flags = readFlags(values, COMMAND_LINE, warn)
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)
  const defaults = defaultSettings()
  const { config: file = source } = { ...defaults, ...flags }
  // The data file can have the name of the configuration file, as in json-server.
  const content = path.resolve(file) === path.resolve(source) ? {} : fromFile(file, asObject)
  const settings = {
    ...readFlags(content, inFile(file), warn),
    ...readFlags({ port: env.PORT }, ENVIRONMENT, warn),
    ...flags,
  }
  return {
    ...defaults,
    ...(settings.allow?.includes(ALL) && { publicCollection: false }),
    ...settings,
    source,
    secret: env.JWT_SECRET,
  }
}

/** Characters of a line of the help. */
const LINE_LENGTH = 100

/** Parses arguments as json-server does, unknown flags, too. */
function parserOf(args: readonly string[]) {
  return (
    yargs(args)
      .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
      .usage(
        '$0 [flags] [data file]\n\n' +
          'Serves a JSON file as a REST API with a login. Default data file: db.json.',
      )
      .options(Object.fromEntries(ROWS.map(yargsOption)))
      // yargs's own ones would end the process, or print the help and go on.
      .help(false)
      .version(false)
      .option('help', { alias: 'h', type: 'boolean', description: 'Show help' })
      .option('version', { alias: 'v', type: 'boolean', description: 'Show version number' })
      .example('$0 --watch db.json --port 3001', '')
      .example('$0 db.json --user me:secret --docs', '')
      .epilogue(`More: ${path.relative('', path.join(packageFolder(), 'README.md'))}, and what it links to.`)
      .wrap(LINE_LENGTH)
      // All other sentences are in English.
      .detectLocale(false)
      .parserConfiguration({ 'strip-aliased': true, 'strip-dashed': true })
      .exitProcess(false)
      .fail((message) => {
        throw new UsageError(`${message}. See --help.`)
      })
  )
}

/**
 * The default is for the help only: yargs must not fill it in, because the configuration file may give
 * another value.
 */
function yargsOption({ flag, type = 'string', default: fallback, ...row }: Row): [string, Options] {
  return [flag, { ...row, type, defaultDescription: String(fallback || '') }]
}

/** A login, but neither a path nor an address. A sentence that repeated such a word would show a password. */
const LOGIN = /^[^:/\\]{2,}:(?!\/\/)/
