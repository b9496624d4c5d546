import { DEFAULTS } from '../defaults'
import {
  existing,
  ifExists,
  integer,
  logins,
  middlewareFiles,
  milliseconds,
  off,
  on,
  seconds,
  text,
} from './setting-values'

/** A row of the table: how a flag is written, and the setting that its value becomes. */
export interface Flag {
  alias?: string
  type: 'string' | 'boolean' | 'array'
  /** How many words belong to each use of an array. Default: all that follow. */
  nargs?: number
  description: string
  /** The value when none was given, or a function that finds it. */
  default?: unknown
  /** Whether the values are paths of files that the server reads: no static folder may give them out. */
  isPrivate?: boolean
  /** The name in `Settings`. A flag without one has no effect. */
  setting?: string
  /**
   * Makes the setting from what was given; undefined leaves it as it is.
   *
   * @param name the flag as it was written, for an error
   * @throws UsageError when the value cannot be used
   */
  read?: (given: unknown, name: string) => unknown
}

/**
 * json-server 0.17.4's flags with their aliases, then our own. A row is all that the command line needs for a flag: a setting
 * with the name of an option of `createApp` becomes that option.
 */
export const FLAGS = {
  config: {
    alias: 'c',
    type: 'string',
    description: 'Configuration file',
    default: 'json-server.json',
    isPrivate: true,
    setting: 'config',
    read: text,
  },
  port: {
    alias: 'p',
    type: 'string',
    description: 'Port (or environment variable PORT)',
    default: 33_000,
    setting: 'port',
    read: integer(65_535),
  },
  host: {
    alias: 'H',
    type: 'string',
    description: 'Host; 0.0.0.0 in a container',
    default: 'localhost',
    setting: 'host',
    read: text,
  },
  watch: { alias: 'w', type: 'boolean', description: 'No effect: all files are watched anyway' },
  routes: {
    alias: 'r',
    type: 'string',
    description: 'Rewrite rules; routes.json is used if it exists',
    default: ifExists('routes.json'),
    isPrivate: true,
    setting: 'routes',
    read: existing('file with the rewrite rules'),
  },
  middlewares: {
    alias: 'm',
    type: 'array',
    description: 'Middleware files',
    default: [],
    isPrivate: true,
    setting: 'middlewares',
    read: middlewareFiles,
  },
  static: {
    alias: 's',
    type: 'string',
    description: 'Folder that is served publicly; public is used if it exists',
    default: ifExists('public'),
    setting: 'static',
    read: text,
  },
  'read-only': {
    alias: 'ro',
    type: 'boolean',
    description: 'Refuse every change; the login still works',
    setting: 'readOnly',
    read: on,
  },
  'no-cors': {
    alias: 'nc',
    type: 'boolean',
    description: 'No Cross-Origin Resource Sharing',
    setting: 'cors',
    read: off,
  },
  'no-gzip': { alias: 'ng', type: 'boolean', description: 'No compression', setting: 'gzip', read: off },
  snapshots: {
    alias: 'S',
    type: 'string',
    description: 'Folder for snapshots (s + Enter)',
    default: '.',
    setting: 'snapshots',
    read: existing('folder for snapshots'),
  },
  delay: {
    alias: 'd',
    type: 'string',
    description: 'Delay of resources, in milliseconds',
    setting: 'delay',
    read: milliseconds,
  },
  id: {
    alias: 'i',
    type: 'string',
    description: 'Name of the id property',
    default: DEFAULTS.idProperty,
    setting: 'idProperty',
    read: text,
  },
  foreignKeySuffix: {
    alias: 'fks',
    type: 'string',
    description: 'End of foreign keys',
    default: DEFAULTS.foreignKeySuffix,
    setting: 'foreignKeySuffix',
    read: text,
  },
  quiet: {
    alias: 'q',
    type: 'boolean',
    description: 'Print nothing but warnings and errors',
    default: false,
    setting: 'quiet',
    read: on,
  },
  user: {
    type: 'array',
    nargs: 1,
    description: 'Login that is not in the data: name:password; can be repeated',
    default: [],
    setting: 'logins',
    read: logins,
  },
  public: {
    type: 'string',
    description: 'Collection to read without a token',
    default: DEFAULTS.publicCollection,
    setting: 'publicCollection',
    read: text,
  },
  'no-public': {
    type: 'boolean',
    description: 'No collection to read without a token',
    setting: 'publicCollection',
    read: off,
  },
  live: { type: 'boolean', description: 'The public list shows later changes', setting: 'live', read: on },
  'expires-in': {
    type: 'string',
    description: 'Lifetime of a token: 30s, 15m, 1h, 7d',
    default: `${DEFAULTS.tokenLifetime / 3600}h`,
    setting: 'tokenLifetime',
    read: seconds,
  },
  'in-memory': {
    type: 'boolean',
    description: 'Never write to the data file',
    default: false,
    setting: 'inMemory',
    read: on,
  },
  docs: {
    type: 'boolean',
    description: 'Describe the API, without a token, at /docs and /openapi.json',
    setting: 'docs',
    read: on,
  },
  sandboxes: {
    type: 'boolean',
    description: 'Separate data for each test that sends the header X-Sandbox',
    setting: 'sandboxes',
    read: on,
  },
  cert: {
    type: 'string',
    description: 'Certificate for HTTPS (PEM)',
    isPrivate: true,
    setting: 'cert',
    read: existing('certificate'),
  },
  key: {
    type: 'string',
    description: 'Private key for HTTPS (PEM)',
    isPrivate: true,
    setting: 'key',
    read: existing('private key'),
  },
} as const satisfies Record<string, Flag>

type Rows = typeof FLAGS

/** What the flags ask for together: a property for each `setting` of the table. */
export type FlagSettings = {
  [Name in keyof Rows as Rows[Name] extends { setting: infer Setting extends string }
    ? Setting
    : never]: Value<Rows[Name]>
}

type Value<Row> = Row extends { read: (given: unknown, name: string) => infer Result }
  ?
      | Result
      | (Row extends { default: infer Default }
          ? Default extends () => unknown
            ? undefined
            : never
          : undefined)
  : never
