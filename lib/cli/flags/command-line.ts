import path from 'node:path'
import parser, { camelCase } from 'yargs-parser'
import { ALL, type Allowed, readAllowed } from '../../auth/allow-rules'
import { printable } from '../../data/source-address'
import { packageVersion } from '../../files/package'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { asObject, fromFile } from '../user-files'
import { COMMAND_LINE_ROWS, type Flag, type FlagSettings, type Given, ROWS } from './flags'
import { showHelp } from './help'
import { defaultSettings, inFile, onCommandLine, readFlags } from './read-flags'

/** What the command line, the configuration file and the environment ask for together. */
export type Settings = Omit<FlagSettings, 'allow'> & {
  /** What needs no token. */
  allowed: Allowed
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
  const { _: given, help, version, ...values } = parse(args)
  const words = given.map(String)
  // As in json-server, the word alone asks for it, too.
  if (help || (words.length === 1 && words[0] === 'help')) {
    showHelp()
    return undefined
  }
  if (version) {
    console.log(packageVersion())
    return undefined
  }
  const [source = 'db.json', ...others] = words
  if (words.some((word) => LOGIN.test(word)))
    throw new UsageError('Each login needs a --user of its own, in front of it.')
  const key = ROWS.find(
    ({ inFileOnly, flag }) => inFileOnly && (flag in values || camelCase(flag) in values),
  )?.flag
  if (key !== undefined)
    throw new UsageError(`--${key} is no flag, but a key of the configuration file: "${key}".`)
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const flags = readFlags(values, onCommandLine, warn)
  for (const other of others) warn(`${printable(other)} is ignored: the data file is ${printable(source)}.`)
  const defaults = defaultSettings()
  const { config: file = source } = { ...defaults, ...flags }
  // The data file can have the name of the configuration file, as in json-server.
  const content = path.resolve(file) === path.resolve(source) ? {} : fromFile(file, asObject)
  const { allow = [], ...settings } = {
    ...readFlags(content, inFile(file), warn),
    ...readFlags({ port: env.PORT }, () => 'PORT', warn),
    ...flags,
  }
  const opensAll = allow.includes(ALL)
  if (opensAll && allow.length > 1) throw new UsageError('--allow all must stand alone.')
  const allowed = readAllowed(opensAll ? ALL : allow)
  return {
    ...defaults,
    ...(allowed === ALL && { publicCollection: false }),
    ...settings,
    allowed,
    source,
    secret: env.JWT_SECRET,
  }
}

/** Parses arguments as json-server does, unknown flags, too. The parser is that of yargs. */
function parse(args: readonly string[]): Given & { _: readonly unknown[] } {
  const ofType = (wanted: Flag['type']) =>
    COMMAND_LINE_ROWS.filter(({ type = 'string' }) => type === wanted).map(({ flag }) => flag)
  const { argv, error } = parser.detailed([...args], {
    // The parser knows a name in camel case (`--inMemory`) only of flags that are listed here.
    alias: {
      ...Object.fromEntries(COMMAND_LINE_ROWS.map(({ flag, alias = [] }) => [flag, alias])),
      help: 'h',
      version: 'v',
    },
    string: ofType('string'),
    boolean: [...ofType('boolean'), 'help', 'version'],
    array: ofType('array'),
    narg: Object.fromEntries(COMMAND_LINE_ROWS.flatMap(({ flag, nargs }) => (nargs ? [[flag, nargs]] : []))),
    configuration: { 'strip-aliased': true, 'strip-dashed': true, 'parse-positional-numbers': false },
  })
  if (error) throw new UsageError(`${error.message}. See --help.`)
  return argv
}

/** A login, but neither a path nor an address. A sentence that repeated such a word would show a password. */
const LOGIN = /^[^:/\\]{2,}:(?!\/\/)/
