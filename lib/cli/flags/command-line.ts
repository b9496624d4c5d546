import path from 'node:path'
import yargs from 'yargs'
import { ALL, type Allow } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import { printable } from '../../data/source-address'
import { packageFolder, packageVersion } from '../../files/package'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { asObject, fromFile } from '../user-files'
import { type FlagRow, type Given, ROWS, rowOf, type SettledFlags } from './flags'
import { defaultSettings, readFlags } from './read-flags'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings extends SettledFlags {
  allow: Allow
  /** Path of the data file, or URL. */
  source: string
  /** The signing secret. */
  secret?: string
  /** The first login that was typed on the command line, where its password can be seen anyway. */
  typedLogin?: Credentials
}

/** A login, but neither a path nor an address. A sentence that repeated such a word would show a password. */
const LOGIN = /^[^:/\\]{2,}:(?!\/\/)/

/**
 * Reads the command line. A flag comes before the environment, the environment before the configuration file.
 * An unknown flag is ignored with a warning; json-server ignores it silently. When the help or the version is asked for,
 * it is printed, and the process ends.
 *
 * @param args what follows the name of the program
 * @throws UsageError for a value that cannot be used or a file that is missing
 */
export function readCommandLine(args: readonly string[], env: NodeJS.ProcessEnv, warn: Warn): Settings {
  const { _: words, $0: _program, help: _help, version: _version, ...values } = parse(args)
  const [source = 'db.json', ...others] = words.map(String)
  if (words.some((word) => LOGIN.test(String(word))))
    throw new UsageError('Each login needs a --user of its own, in front of it.')
  const keyOfFile = Object.keys(values)
    .map(rowOf)
    .find((row) => row?.inFileOnly)
  if (keyOfFile !== undefined)
    throw new UsageError(`--${keyOfFile.flag} is no flag, but a key of the configuration file.`)
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const flags = readFlags(values, warn)
  for (const { flag, usual, expected } of withoutValue(args))
    warn(
      usual === undefined
        ? `--${flag} is ignored: it has no value, which must be ${expected}.`
        : `--${flag} has no value, which stands for none: not even ${usual} is used.`,
    )
  for (const other of others) warn(`${printable(other)} is ignored: the data file is ${printable(source)}.`)
  const defaults = defaultSettings()
  const { config: file = source } = { ...defaults, ...flags }
  const readFile = (content: unknown) =>
    readFlags(asObject(content), (sentence) => warn(`${file}: ${sentence}`))
  const settings = {
    // The data file can have the name of the configuration file, as in json-server.
    ...(path.resolve(file) !== path.resolve(source) && fromFile(file, readFile)),
    ...readFlags({ port: env.PORT }, warn, 'PORT'),
    ...flags,
  }
  const given = settings.allow ?? []
  if (given.includes(ALL) && given.length > 1) throw new UsageError('--allow all must stand alone.')
  const allow = given.includes(ALL) ? ALL : given
  return {
    ...defaults,
    ...(allow === ALL && { publicCollection: false }),
    ...settings,
    allow,
    source,
    secret: env.JWT_SECRET,
    typedLogin: flags.logins?.[0],
  }
}

/**
 * The flags of json-server's after which a value is missing, as with `--port $PORT` where the variable is not set. It takes
 * its default without a word, or fails. `--routes=` and `--routes ""` have one.
 */
function withoutValue(args: readonly string[]): FlagRow[] {
  const end = args.indexOf('--')
  const flags = end < 0 ? args : args.slice(0, end)
  return flags.flatMap((argument, index) => {
    // After one dash, each letter is a flag.
    const [, name] = /^-([a-z]|-[a-z][\w-]*)$/i.exec(argument) ?? []
    const row = name === undefined ? undefined : rowOf(name.replace(/^-/, ''))
    const next = flags[index + 1]
    // A negative number is a value to yargs.
    const isMissing = next === undefined || /^-(?!\.?\d)/.test(next)
    return row !== undefined && !row.isOwn && row.type !== 'boolean' && isMissing ? [row] : []
  })
}

/**
 * What yargs finds, as it does for json-server: unknown flags, too. It takes every other value of a switch (`--docs=1`)
 * for false, without a word.
 */
function parse(args: readonly string[]): Given & { _: readonly unknown[] } {
  const odd = args.flatMap((argument) => {
    const [, name = '', value] = /^--?([\w-]+)=(.+)$/.exec(argument) ?? []
    return value !== undefined && rowOf(name)?.type === 'boolean' ? [[name, value]] : []
  })
  const rows = ROWS.filter(({ inFileOnly }) => !inFileOnly)
  const found = yargs([...args])
    .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
    .usage(
      '$0 [flags] [data file]\n\n' +
        'Serves a JSON file, or a folder of them, as a REST API with a login; db.json by default.',
    )
    .options(Object.fromEntries(rows.map((row) => [row.flag, yargsOption(row)])))
    .help('help')
    .alias('help', 'h')
    .version(packageVersion())
    .alias('version', 'v')
    .example('$0 --watch db.json --port 3001', '')
    .example('$0 db.json --user me:secret --docs', '')
    .epilogue(`More: ${path.relative('', path.join(packageFolder(), 'README.md'))}, and what it links to.`)
    // All other sentences are in English.
    .detectLocale(false)
    .parserConfiguration({ 'strip-aliased': true, 'strip-dashed': true, 'parse-positional-numbers': false })
    .fail((message) => {
      throw new UsageError(`${message}. See --help.`)
    })
    .parseSync()
  return { ...found, ...Object.fromEntries(odd) }
}

/**
 * The default is only shown: it must not come before the configuration file. A flag of our own needs its value, which
 * may begin with a dash and a digit; json-server's may stand without one, as there.
 */
function yargsOption({ default: fallback, type = 'string', isOwn, ...row }: FlagRow) {
  return {
    ...row,
    type,
    ...(isOwn && type === 'string' && { nargs: 1 }),
    group: isOwn ? 'Own flags:' : "json-server's flags:",
    defaultDescription: String(fallback || ''),
  }
}
