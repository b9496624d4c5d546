import { DEFAULTS } from '../../defaults'
import { existing, MIDDLEWARES } from './existing-files'
import {
  ALLOWED_REQUESTS,
  DURATION,
  type Kind,
  LOGINS,
  MILLISECONDS,
  OFF,
  ON,
  PORT,
  TEXT,
} from './setting-values'

/** A row of the table: how a flag is written, and the setting that its value becomes. */
export interface Flag extends Kind<unknown> {
  alias?: string
  description: string
  /** What stands for the value when none was given. */
  default?: unknown
  /** A file or folder that is used when none was given, if it exists. An empty value then stands for none. */
  usual?: string
  /** The name in `Settings`. Default: the flag in camel case. */
  setting?: string
  /** Whether the setting is the command line's own: then it is no option of `createApp`. */
  own?: true
}

/**
 * json-server 0.17.4's flags with their aliases, then our own. A row is all that the command line needs for a
 * flag. Its setting has the name of an option of `createApp` and becomes that option, unless the row says
 * that it is the command line's own: a name that is neither does not compile (`run`).
 */
export const FLAGS = {
  config: { alias: 'c', ...TEXT, description: 'Configuration file', default: 'json-server.json', own: true },
  port: {
    alias: 'p',
    ...PORT,
    description: 'Port (or environment variable PORT)',
    default: 33_000,
    own: true,
  },
  host: { alias: 'H', ...TEXT, description: 'Host; 0.0.0.0 in a container', default: 'localhost', own: true },
  watch: { alias: 'w', ...ON, description: 'No effect: all files are watched anyway', own: true },
  routes: {
    alias: 'r',
    ...existing('file with the rewrite rules'),
    description: 'Rewrite rules; routes.json is used if it exists',
    usual: 'routes.json',
  },
  middlewares: { alias: 'm', ...MIDDLEWARES, description: 'Middleware files', default: [] },
  static: {
    alias: 's',
    ...TEXT,
    description: 'Folder that is served publicly; public is used if it exists',
    usual: 'public',
  },
  'read-only': { alias: 'ro', ...ON, description: 'Refuse every change; the login still works' },
  'no-cors': { alias: 'nc', ...OFF, description: 'No Cross-Origin Resource Sharing', setting: 'cors' },
  'no-gzip': { alias: 'ng', ...OFF, description: 'No compression', setting: 'gzip' },
  snapshots: {
    alias: 'S',
    ...existing('folder for snapshots'),
    description: 'Folder for snapshots (s + Enter)',
    default: '.',
    own: true,
  },
  delay: { alias: 'd', ...MILLISECONDS, description: 'Delay of resources, in milliseconds' },
  id: {
    alias: 'i',
    ...TEXT,
    description: 'Name of the id property',
    default: DEFAULTS.idProperty,
    setting: 'idProperty',
  },
  foreignKeySuffix: {
    alias: 'fks',
    ...TEXT,
    description: 'End of foreign keys',
    default: DEFAULTS.foreignKeySuffix,
  },
  quiet: {
    alias: 'q',
    ...ON,
    description: 'Print nothing but warnings and errors',
    default: false,
    own: true,
  },
  user: {
    ...LOGINS,
    description: 'Adds a login without touching your data: name:password; can be repeated',
    default: [],
    setting: 'logins',
  },
  public: {
    ...TEXT,
    description: 'Collection to read without a token',
    default: DEFAULTS.publicCollection,
    setting: 'publicCollection',
  },
  'no-public': { ...OFF, description: 'No collection to read without a token', setting: 'publicCollection' },
  live: { ...ON, description: 'The public list shows later changes' },
  allow: {
    ...ALLOWED_REQUESTS,
    description: 'Request that needs no token: "POST /users"; can be repeated. All of them: all',
    default: [],
  },
  'expires-in': {
    ...DURATION,
    description: 'Lifetime of a token: 30s, 15m, 1h, 7d',
    default: `${DEFAULTS.tokenLifetime / 3600}h`,
    setting: 'tokenLifetime',
  },
  'in-memory': { ...ON, description: 'Never write to the data file', default: false, own: true },
  docs: { ...ON, description: 'Describe the API, without a token, at /docs and /openapi.json' },
  sandboxes: { ...ON, description: 'A separate copy of the data for each value of X-Sandbox' },
  faults: {
    ...existing('file with the faults'),
    description: 'Rules by which requests fail (JSON)',
  },
  cert: { ...existing('certificate'), description: 'Certificate for HTTPS (PEM)', own: true },
  key: { ...existing('private key'), description: 'Private key for HTTPS (PEM)', own: true },
} as const satisfies Record<string, Flag>

type Rows = typeof FLAGS

/** What the flags ask for together: a property for each setting of the table. */
export type FlagSettings = {
  [Name in keyof Rows as SettingOf<Name>]:
    | ReturnType<Rows[Name]['read']>
    | (Rows[Name] extends { default: unknown } ? never : undefined)
}

/** The settings that are no options of `createApp`. */
export type OwnSetting = {
  [Name in keyof Rows]: Rows[Name] extends { own: true } ? SettingOf<Name> : never
}[keyof Rows]

type SettingOf<Name extends keyof Rows> = Rows[Name] extends { setting: infer Setting extends string }
  ? Setting
  : CamelCase<Name>

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Rest>}`
  : Name
