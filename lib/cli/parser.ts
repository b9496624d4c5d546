import yargs, { type Options } from 'yargs'
import { flagOf, type Given, ROWS } from './flag-names'
import type { Flag } from './flags'
import { UsageError } from './setting-values'

/**
 * Parses a command line as json-server does. Unknown flags are parsed, too.
 *
 * @returns undefined when the help or the version was asked for, and has been printed
 * @throws UsageError when a value is missing
 */
export function parseArguments(args: readonly string[]): { values: Given; words: string[] } | undefined {
  const {
    _: words,
    $0: _program,
    help,
    version,
    ...values
  } = yargs(args.map(spelled))
    .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'npx json-server-bearer')
    .usage(
      '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
    )
    .options(Object.fromEntries(Object.entries(ROWS).map(([name, flag]) => [name, yargsOptions(flag)])))
    // `--no-cors` is a flag here: yargs would otherwise read it as `cors: false`. What is written in camel case is no longer so.
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'strip-aliased': true,
    })
    .help('help')
    .alias('help', 'h')
    .version()
    .alias('version', 'v')
    .exitProcess(false)
    .fail((message, error) => {
      throw new UsageError(`${message ?? error?.message}. See --help.`)
    })
    .parseSync()
  return help || version ? undefined : { values, words: words.map(String) }
}

/** The default is for the help only: yargs must not fill it in, because the configuration file may give another value. */
function yargsOptions({ alias, type, nargs, description, default: fallback }: Flag): Options {
  const isShown = typeof fallback === 'string' || typeof fallback === 'number'
  return { alias, type, nargs, description, ...(isShown && { defaultDescription: String(fallback) }) }
}

/** `--readOnly` is `--read-only`; `--no-quiet` is `--quiet=false`, as in json-server, unless a flag has that very name. */
function spelled(arg: string): string {
  const [, name = '', value] = /^--([^=]+)(.*)$/s.exec(arg) ?? []
  const flag = flagOf(name)
  if (flag !== undefined) return `--${flag}${value}`
  const negated = name.startsWith('no-') ? flagOf(name.slice(3)) : undefined
  return negated !== undefined && ROWS[negated]?.type === 'boolean' ? `--${negated}=false` : arg
}
