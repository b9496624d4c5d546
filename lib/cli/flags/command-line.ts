import { existsSync } from 'node:fs'
import path from 'node:path'
import yargs, { type Options } from 'yargs'
import { Parser } from 'yargs/helpers'
import { ALL } from '../../auth/allow-rules'
import { nearestName } from '../../data/nearest-name'
import { packageVersion } from '../../files/package-version'
import type { Warn } from '../../warn'
import { UsageError } from '../explain-error'
import { asObject, fromFile } from '../user-files'
import { type FlagSettings, type Given, ROWS } from './flags'

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
  const { _: words, $0: _program, help, version, ...values } = parse(args)
  if (help || version) return undefined
  const [source = 'db.json', ...others] = words.map(String)
  if (values.user && words.some((word) => LOGIN.test(String(word))))
    throw new UsageError('--user takes one login: repeat it before each of them.')
  if (env.JWT_SECRET === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  const flags = readFlags(
    values,
    (flag) => `${flag.length === 1 ? '-' : '--'}${Parser.decamelize(flag)}`,
    warn,
  )
  for (const other of others) warn(`${other} is ignored: the data file is ${source}.`)
  const defaults = defaultSettings()
  const { config: file = source } = { ...defaults, ...flags }
  // The data file can have the name of the configuration file, as in json-server.
  const content = path.resolve(file) === path.resolve(source) ? {} : fromFile(file, asObject)
  const given = {
    ...readFlags(content, (flag) => `"${flag}"`, warn, ` in ${file}`),
    ...readFlags({ port: env.PORT }, () => 'PORT', warn),
    ...flags,
  }
  return {
    ...defaults,
    ...(given.allow?.includes(ALL) && { publicCollection: false }),
    ...given,
    source,
    secret: env.JWT_SECRET,
  }
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
      .options(Object.fromEntries(ROWS.map(yargsOption)))
      .version(packageVersion())
      .alias({ help: 'h', version: 'v' })
      .example('$0 --watch db.json --port 3001', '')
      .example('$0 db.json --user me:secret --docs', '')
      // All other sentences are in English.
      .detectLocale(false)
      .parserConfiguration({ 'strip-aliased': true, 'strip-dashed': true })
      .exitProcess(false)
      .fail((message) => {
        throw new UsageError(`${message}. See --help.`)
      })
      .parseSync()
  )
}

/**
 * The default is for the help only: yargs must not fill it in, because the configuration file may give
 * another value.
 */
function yargsOption({ flag, type = 'string', default: fallback, ...row }: Row): [string, Options] {
  return [flag, { ...row, type, defaultDescription: String(fallback || '') }]
}

/** Neither a path nor an address: to repeat such a word in a sentence may show a password. */
const LOGIN = /^[^:/\\]{2,}:(?!\/\/)/

type Row = (typeof ROWS)[number]

/** The row of a flag, by its alias or its name, in camel case, too. */
function rowOf(name: string): Row | undefined {
  const wanted = Parser.camelCase(name)
  return ROWS.find(({ flag, alias }) => alias === name || Parser.camelCase(flag) === wanted)
}

/** Writes a flag as it is written where it was given: on the command line, in a file. */
type Write = (flag: string) => string

/**
 * The settings that were given in one place. An unknown name is ignored with a warning. An empty value counts
 * as not given, because scripts say `--port $PORT`; for a flag with a usual file it means no file, because
 * configuration files say `"routes": ""`.
 *
 * @param values by any spelling of the flags
 * @param place follows the flag in a sentence
 * @throws UsageError for a value that cannot be used
 */
function readFlags(values: Given, write: Write, warn: Warn, place = ''): Partial<FlagSettings> {
  const settings: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(values)) {
    // yargs reads `--no-cors`, which is a flag here, as `cors: false`.
    const negated = given === false ? `no-${name}` : name
    const opposite = given === false ? rowOf(negated) : undefined
    const row = opposite ?? rowOf(name)
    if (row === undefined) {
      warn(`${write(place ? name : negated)}${place} is ignored: ${advice(negated, write)}`)
      continue
    }
    const { type, several, expected, isSecret, usual, setting } = row
    const isEmpty = (value: unknown) => (value ?? '') === '' || (value === false && type !== 'boolean')
    const found = [opposite ? true : given].flat().filter((value) => !isEmpty(value))
    const read = found.slice(several ? 0 : -1).map((value) => {
      const result = row.read(value, Array.isArray(given))
      if (result !== undefined || expected === undefined) return result
      const shown = isSecret ? '' : `: ${JSON.stringify(value)}`
      throw new UsageError(`${write(row.flag)}${place}${shown} must be ${expected}.`)
    })
    const result = several ? read : read[0]
    // Two flags can have the same setting: `--no-public=false` leaves `--public` as it is.
    if (result !== undefined || usual !== undefined) settings[setting] = result
  }
  return settings
}

/** What to do about an unknown name. */
function advice(name: string, write: Write): string {
  const opposite = rowOf(`no-${name}`)
  if (opposite !== undefined) return `it is on by default, and ${write(opposite.flag)} turns it off.`
  const nearest = nearestName(
    name,
    ROWS.map(({ flag }) => flag),
  )
  return nearest ? `did you mean ${write(nearest)}?` : 'there is no such flag, see --help.'
}

/** Each setting that has a default. */
function defaultSettings(): FlagSettings {
  const given = ROWS.map(({ flag, usual = '', default: fallback }) => [
    flag,
    existsSync(usual) ? usual : fallback,
  ])
  // TypeScript cannot follow a loop over the table.
  return readFlags(Object.fromEntries(given), String, () => {}) as FlagSettings
}
