import { existsSync, readFileSync } from 'node:fs'
import yargs, { type Options } from 'yargs'
import { isRecord } from '../middlewares/is-record'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings {
  /** Path of the data file. */
  source: string
  port: number
  host: string
  /** Path of the file with the rewrite rules, if there is one. */
  routes?: string
  /** Folder that is served publicly. */
  static?: string
  readOnly: boolean
  cors: boolean
  gzip: boolean
  /** Milliseconds. */
  delay: number
  idProperty: string
  foreignKeySuffix: string
  quiet: boolean
  /** The signing secret. */
  secret?: string
}

/** A command line that cannot be followed. The message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** json-server 0.17.4's flags with their aliases. */
const FLAGS = {
  config: { alias: 'c', type: 'string', default: 'json-server.json', description: 'Configuration file' },
  port: { alias: 'p', type: 'number', default: 33000, description: 'Port (also: environment variable PORT)' },
  host: { alias: 'H', type: 'string', default: 'localhost', description: 'Host; 0.0.0.0 in a container' },
  watch: {
    alias: 'w',
    type: 'boolean',
    description: 'Accepted for json-server; the data file is always watched',
  },
  routes: {
    alias: 'r',
    type: 'string',
    description: 'File with rewrite rules [default: routes.json if it exists]',
  },
  static: { alias: 's', type: 'string', description: 'Folder that is served publicly' },
  'read-only': { alias: 'ro', type: 'boolean', description: 'Refuse every change; the login still works' },
  'no-cors': { alias: 'nc', type: 'boolean', description: 'Switch off Cross-Origin Resource Sharing' },
  'no-gzip': { alias: 'ng', type: 'boolean', description: 'Switch off compression' },
  delay: { alias: 'd', type: 'number', default: 0, description: 'Delay every answer to a resource (ms)' },
  id: { alias: 'i', type: 'string', default: 'id', description: 'Name of the id property' },
  foreignKeySuffix: {
    alias: 'fks',
    type: 'string',
    default: 'Id',
    description: 'End of the name of a foreign key',
  },
  quiet: { alias: 'q', type: 'boolean', description: 'Print nothing but errors' },
} as const satisfies Record<string, Options>

/**
 * Reads the command line. A flag goes before the environment, the environment before the configuration file.
 *
 * @param args what follows the name of the program
 * @returns undefined when the help or the version was asked for, and has been printed
 * @throws UsageError for an unknown flag, a value of the wrong kind or a file that is missing
 */
export function readCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Settings | undefined {
  const parsed = parser(args)
    .config({ ...readConfiguration(args), ...(env.PORT !== undefined && { port: env.PORT }) })
    .parseSync()
  if (parsed.help || parsed.version) return undefined
  return {
    source: String(parsed._[0] ?? 'db.json'),
    port: integer('--port', parsed.port, 65_535),
    host: parsed.host,
    routes: rulesFile(parsed.routes),
    static: parsed.static,
    readOnly: parsed['read-only'] ?? false,
    cors: !parsed['no-cors'],
    gzip: !parsed['no-gzip'],
    delay: integer('--delay', parsed.delay, 2 ** 31 - 1),
    idProperty: parsed.id,
    foreignKeySuffix: parsed.foreignKeySuffix,
    quiet: parsed.quiet ?? false,
    secret: secret(env.JWT_SECRET),
  }
}

function parser(args: readonly string[]) {
  return (
    yargs(args)
      .scriptName('npx ts-node server.ts')
      .usage(
        '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
      )
      .options(FLAGS)
      .strictOptions()
      // `--no-cors` is a name of its own here: yargs would otherwise read it as `cors: false`.
      .parserConfiguration({ 'boolean-negation': false })
      .help('help')
      .alias('help', 'h')
      .version()
      .alias('version', 'v')
      .exitProcess(false)
      .fail((message, error) => {
        throw error ?? new UsageError(`${message}. See --help.`)
      })
  )
}

/** The configuration file's flags; names that are no flags are left out, as json-server ignores them. */
function readConfiguration(args: readonly string[]): Record<string, unknown> {
  const { config } = yargs(args).help(false).version(false).option('config', FLAGS.config).parseSync()
  if (!existsSync(config)) {
    if (config === FLAGS.config.default) return {}
    throw new UsageError(`The configuration file ${config} does not exist.`)
  }
  const content = readJsonObject(config, 'configuration file')
  const known = new Set(Object.entries(FLAGS).flatMap(([name, { alias }]) => [name, alias, camelCase(name)]))
  return Object.fromEntries(Object.entries(content).filter(([name]) => known.has(name)))
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}

function integer(flag: string, value: number, largest: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= largest) return value
  throw new UsageError(`${flag} must be an integer from 0 to ${largest}, for instance ${flag} 3000.`)
}

function secret(value: string | undefined): string | undefined {
  if (value === '')
    throw new UsageError('JWT_SECRET is empty: give it a value, or unset it for a random secret.')
  return value
}

function rulesFile(given: string | undefined): string | undefined {
  if (given === undefined) return existsSync('routes.json') ? 'routes.json' : undefined
  if (!existsSync(given)) throw new UsageError(`The file with the rewrite rules, ${given}, does not exist.`)
  return given
}

/**
 * Reads a JSON file that holds an object.
 *
 * @param what names the file in an error
 * @throws UsageError when it cannot be read or holds something else
 */
export function readJsonObject(file: string, what: string): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `The ${what} ${file} cannot be read: ${error instanceof Error ? error.message : error}.`,
    )
  }
  if (!isRecord(content)) throw new UsageError(`The ${what} ${file} must hold a JSON object.`)
  return content
}
