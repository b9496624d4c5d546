import yargs, { type Options } from 'yargs'
import { packageVersion } from '../../version'
import type { Flag } from './flags'
import { type Given, ROWS } from './read-flags'
import { UsageError } from './usage-error'

/**
 * Parses a command line as json-server does. Unknown flags are parsed, too.
 *
 * @returns the values by name, some of them under several spellings, and the words that belong to no flag;
 *   undefined when the help or the version was asked for, and has been printed
 * @throws UsageError when a value is missing
 */
export function parseArguments(args: readonly string[]): { values: Given; words: string[] } | undefined {
  const {
    _: words,
    $0: _program,
    help,
    h: _h,
    version,
    v: _v,
    ...values
  } = yargs(args)
    .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'json-server-bearer')
    .usage(
      '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
    )
    .options(Object.fromEntries(Object.entries(ROWS).map(([name, flag]) => [name, yargsOptions(flag)])))
    .version(packageVersion())
    .alias({ help: 'h', version: 'v' })
    .exitProcess(false)
    .fail((message, error) => {
      const [, flag = ''] = /^Not enough arguments following: (.+)$/.exec(message ?? '') ?? []
      // Reading no value throws the error that says which values the flag takes.
      ROWS[flag]?.read(undefined, `--${flag}`)
      throw new UsageError(`${message ?? error?.message}. See --help.`)
    })
    .parseSync()
  if (help || version) return undefined
  // yargs reads `--no-cors`, which is a flag here, as `cors: false`.
  const given = Object.entries(values).map(([name, value]) =>
    value === false ? [`no-${name}`, true] : [name, value],
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
