import { existsSync } from 'node:fs'
import yargs, { type Options } from 'yargs'
import {
  existing,
  integer,
  readJsonObject,
  rulesFile,
  seconds,
  secret,
  type TlsFiles,
  tlsFiles,
  UsageError,
} from './setting-values'

/** What the command line, the configuration file and the environment ask for together. */
export interface Settings {
  /** Path of the data file, or URL. */
  source: string
  /** Whether the data file is only read, once, and never written. */
  inMemory: boolean
  port: number
  host: string
  /** Path of the file with the rewrite rules, if there is one. */
  routes?: string
  /** Paths of the user's middlewares. */
  middlewares: string[]
  /** Folder that is served publicly. */
  static?: string
  /** Paths of what the server itself reads and writes, which the static folder may hold but never gives out. */
  privateFiles: string[]
  /** Folder that snapshots are written to. */
  snapshots: string
  /** The publicly readable collection, or false for none. */
  publicCollection: string | false
  /** Whether the public list shows changes made since the data was loaded. */
  live: boolean
  /** Whether an OpenAPI document and a page to read it are served. */
  docs: boolean
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
  /** Seconds that a token lasts. */
  tokenLifetime: number
  tls?: TlsFiles
}

/** json-server 0.17.4's flags with their aliases, and then our own. */
const FLAGS = {
  config: { alias: 'c', type: 'string', default: 'json-server.json', description: 'Configuration file' },
  port: { alias: 'p', type: 'string', default: '33000', description: 'Port (or environment variable PORT)' },
  host: { alias: 'H', type: 'string', default: 'localhost', description: 'Host; 0.0.0.0 in a container' },
  watch: { alias: 'w', type: 'boolean', description: 'No effect: all files are watched anyway' },
  routes: { alias: 'r', type: 'string', description: 'Rewrite rules; routes.json is used if it exists' },
  middlewares: { alias: 'm', type: 'array', string: true, default: [], description: 'Middleware files' },
  static: { alias: 's', type: 'string', description: 'Folder that is served publicly' },
  'read-only': { alias: 'ro', type: 'boolean', description: 'Refuse every change; the login still works' },
  'no-cors': { alias: 'nc', type: 'boolean', description: 'No Cross-Origin Resource Sharing' },
  'no-gzip': { alias: 'ng', type: 'boolean', description: 'No compression' },
  snapshots: { alias: 'S', type: 'string', default: '.', description: 'Folder for snapshots (s + Enter)' },
  delay: { alias: 'd', type: 'string', default: '0', description: 'Delay of resources, in milliseconds' },
  id: { alias: 'i', type: 'string', default: 'id', description: 'Name of the id property' },
  foreignKeySuffix: { alias: 'fks', type: 'string', default: 'Id', description: 'End of foreign keys' },
  quiet: { alias: 'q', type: 'boolean', description: 'Print nothing but warnings and errors' },
  public: { type: 'string', default: 'blogs', description: 'Collection to read without a token' },
  'no-public': { type: 'boolean', description: 'No collection to read without a token' },
  live: { type: 'boolean', description: 'The public list shows later changes' },
  'expires-in': { type: 'string', default: '1h', description: 'Lifetime of a token: 30s, 15m, 1h, 7d' },
  'in-memory': { type: 'boolean', description: 'Never write to the data file' },
  docs: { type: 'boolean', description: 'Describe the API, without a token, at /docs and /openapi.json' },
  cert: { type: 'string', description: 'Certificate for HTTPS (PEM)' },
  key: { type: 'string', description: 'Private key for HTTPS (PEM)' },
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
  const source = String(parsed._[0] ?? 'db.json')
  const routes = rulesFile(parsed.routes)
  const middlewares = parsed.middlewares.map((file) => existing(String(file), 'middleware'))
  const { config, cert, key } = parsed
  return {
    source,
    port: integer('--port', parsed.port, 65_535),
    host: parsed.host,
    inMemory: parsed['in-memory'] ?? false,
    routes,
    middlewares,
    static: parsed.static && existing(parsed.static, 'static folder'),
    privateFiles: [source, config, routes, cert, key, ...middlewares].filter((file) => file !== undefined),
    snapshots: existing(parsed.snapshots, 'folder for snapshots'),
    publicCollection: parsed['no-public'] ? false : parsed.public,
    live: parsed.live ?? false,
    docs: parsed.docs ?? false,
    readOnly: parsed['read-only'] ?? false,
    cors: !parsed['no-cors'],
    gzip: !parsed['no-gzip'],
    delay: integer('--delay', parsed.delay, 2 ** 31 - 1),
    idProperty: parsed.id,
    foreignKeySuffix: parsed.foreignKeySuffix,
    quiet: parsed.quiet ?? false,
    secret: secret(env.JWT_SECRET),
    tokenLifetime: seconds('--expires-in', parsed['expires-in']),
    tls: tlsFiles(parsed),
  }
}

function parser(args: readonly string[]) {
  return (
    yargs(args)
      .scriptName(__filename.endsWith('.ts') ? 'npx ts-node server.ts' : 'npx json-server-bearer')
      .usage(
        '$0 [flags] [data file]\n\nServes a JSON file as a REST API with a login. Default data file: db.json.',
      )
      .options(FLAGS)
      .requiresArg(Object.entries(FLAGS).flatMap(([name, { type }]) => (type === 'boolean' ? [] : [name])))
      .check(refuseRepeated)
      .strictOptions()
      // `--no-cors` is a name of its own here: yargs would otherwise read it as `cors: false`.
      .parserConfiguration({ 'boolean-negation': false })
      .help('help')
      .alias('help', 'h')
      .version()
      .alias('version', 'v')
      .exitProcess(false)
      .fail((message, error) => {
        throw error instanceof UsageError
          ? error
          : new UsageError(`${message ?? error?.message}. See --help.`)
      })
  )
}

/** yargs makes a flag that is given twice a list, whatever its type. */
function refuseRepeated(parsed: Readonly<Record<string, unknown>>): true {
  for (const [name, { type }] of Object.entries(FLAGS)) {
    if (type !== 'array' && Array.isArray(parsed[name]))
      throw new UsageError(`--${name} may be given only once.`)
  }
  return true
}

/** The configuration file's flags; names that are no flags are left out, as json-server ignores them. */
function readConfiguration(args: readonly string[]): Record<string, unknown> {
  const { config } = yargs(args).help(false).version(false).option('config', FLAGS.config).parseSync()
  if (config === FLAGS.config.default && !existsSync(config)) return {}
  const content = readJsonObject(config, 'configuration file')
  const known = new Set(
    Object.entries(FLAGS).flatMap(([name, flag]) => [
      name,
      camelCase(name),
      'alias' in flag ? flag.alias : name,
    ]),
  )
  return Object.fromEntries(Object.entries(content).filter(([name]) => known.has(name)))
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase())
}
