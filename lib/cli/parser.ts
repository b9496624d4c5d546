import yargs, { type Options } from 'yargs'
import { FLAGS, type Flag } from './flags'
import { UsageError } from './setting-values'

/** The table, for a look-up by any name. */
export const ROWS: Readonly<Record<string, Flag>> = FLAGS

/** The values that were given, by the names of the flags and by all their other spellings. */
export type Given = Readonly<Record<string, unknown>>

/**
 * Parses a command line as json-server does. Unknown flags are parsed, too.
 *
 * @returns undefined when the help or the version was asked for, and has been printed
 * @throws UsageError when a value is missing
 */
export function parseArguments(args: readonly string[]): { given: Given; words: string[] } | undefined {
  const { _: words, ...given } = parser(args.map(withoutNegation)).parseSync()
  return given.help || given.version ? undefined : { given, words: words.map(String) }
}

/** Reads the content of a configuration file as the command line is read: `"p": "3000"` is the flag `port`. */
export function parseConfiguration(content: Given): Given {
  return parser([]).config(content).parseSync()
}

function parser(args: readonly string[]) {
  return (
    yargs(args)
      .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'npx json-server-bearer')
      .usage(
        '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
      )
      .options(Object.fromEntries(Object.entries(ROWS).map(([name, flag]) => [name, yargsOptions(flag)])))
      // `--no-cors` is a flag here: yargs would otherwise read it as `cors: false`.
      .parserConfiguration({ 'boolean-negation': false, 'dot-notation': false })
      .help('help')
      .alias('help', 'h')
      .version()
      .alias('version', 'v')
      .exitProcess(false)
      .fail((message, error) => {
        throw new UsageError(`${message ?? error?.message}. See --help.`)
      })
  )
}

/** The default is for the help only: yargs must not fill it in, because the configuration file may give another value. */
function yargsOptions({ alias, type, nargs, description, default: fallback }: Flag): Options {
  const isShown = typeof fallback === 'string' || typeof fallback === 'number'
  return { alias, type, nargs, description, ...(isShown && { defaultDescription: String(fallback) }) }
}

/** `--no-quiet` is `--quiet=false`, as in json-server, unless a flag has that very name. */
function withoutNegation(arg: string): string {
  const [, flag = ''] = /^--no-(.+)$/.exec(arg) ?? []
  return ROWS[flag]?.type === 'boolean' ? `--${flag}=false` : arg
}
