import yargs, { type Options } from 'yargs'
import { packageVersion } from '../../files/package-version'
import type { Flag } from './flags'
import { camelCase, type Given, ROWS, rowOf } from './read-flags'
import { UsageError } from './usage-error'

/**
 * Parses a command line as json-server does. Unknown flags are parsed, too.
 *
 * @returns the values by name and the words that belong to no flag; undefined when the help or the version
 *   was asked for, and has been printed
 * @throws UsageError when a value is missing
 */
export function parseArguments(args: readonly string[]): { values: Given; words: string[] } | undefined {
  const {
    _: words,
    $0: _program,
    help,
    version,
    ...values
  } = yargs(args)
    .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
    .usage(
      '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
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
  if (help || version) return undefined
  const names = Object.keys(values)
  const given = Object.entries(values)
    // yargs adds a second name in camel case.
    .filter(([name]) => !names.some((other) => other !== name && camelCase(other) === name))
    // It reads `--no-cors`, which is a flag here, as `cors: false`.
    .map(([name, value]) =>
      value === false && rowOf(name)?.type !== 'boolean' ? [`no-${name}`, true] : [name, value],
    )
  return { values: Object.fromEntries(given), words: words.map(String) }
}

/**
 * The default is for the help only: yargs must not fill it in, because the configuration file may give
 * another value.
 */
function yargsOptions({ type = 'string', default: fallback, ...flag }: Flag): Options {
  return { ...flag, type, defaultDescription: String(fallback || '') }
}
