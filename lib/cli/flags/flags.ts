import path from 'node:path'
import type { RequestHandler } from 'express'
import { ALL, type Allow } from '../../auth/allow-rules'
import { DEFAULTS } from '../../defaults'
import { PAGE_PATH } from '../../options/docs/own-paths'
import { readFaultRules } from '../../options/faults/read-fault-rules'
import type { Reloader } from '../reloading'
import { fromJson, loadMiddlewares, readRules } from '../user-files'
import {
  DURATION,
  FILE,
  FOLDER,
  type Kind,
  LOGIN,
  MILLISECONDS,
  OFF,
  ON,
  PORT,
  REQUEST,
  TEXT,
} from './setting-values'

/** A row of the table: all that the command line needs for a flag. */
export interface Flag extends Kind<unknown> {
  alias?: string
  description: string
  /** What stands for the value when none was given. */
  default?: unknown
  /** A file or folder that is used when none was given, if it exists. An empty value then stands for none. */
  usual?: string
  /** The name in `Settings`. Default: the flag. */
  setting?: string
  /** Whether the setting is the command line's own: then it is no option of `createApp`. */
  own?: true
  /** Makes the option of `createApp` from a setting that was given. Default: the setting itself. */
  start?(setting: unknown, reloader: Reloader): unknown
  /** What the start says of a setting that is on, or has a value. */
  note?(setting: unknown, url: string): string | false
  /** What the start says where there is no such setting. */
  hint?: string
}

/** The `routes.json` in a clone of this project, which the data may have nothing to do with. */
const OWN_RULES = path.join(__dirname, '../../../routes.json')

/**
 * json-server 0.17.4's flags with their aliases. A setting has the name of an option of `createApp` and
 * becomes that option, unless its row says that it is the command line's own: a name that is neither does
 * not compile (`run`).
 */
const JSON_SERVER_FLAGS = {
  config: {
    alias: 'c',
    ...FILE,
    description: 'Configuration file; json-server.json is used if it exists',
    usual: 'json-server.json',
    own: true,
  },
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
    ...FILE,
    description: 'Rewrite rules; routes.json is used if it exists',
    usual: 'routes.json',
    start: (file: string, reloader: Reloader) => reloader.load([file], () => readRules(file, reloader.warn)),
    note: (file) => {
      const isSample = path.resolve(String(file)) === OWN_RULES
      return `Rewrite rules from ${file}${isSample ? ', a sample of this project' : ''}.`
    },
  },
  middlewares: {
    alias: 'm',
    ...FILE,
    type: 'array',
    description: 'Middleware files',
    default: [],
    start: startMiddlewares,
    note: (files: string[]) => files.length > 0 && `Middlewares from ${files.join(', ')}.`,
  },
  static: {
    alias: 's',
    ...TEXT,
    description: 'Folder that is served publicly; public is used if it exists',
    usual: 'public',
  },
  'read-only': {
    alias: 'ro',
    ...ON,
    description: 'Refuse every change; the login still works',
    setting: 'readOnly',
  },
  'no-cors': { alias: 'nc', ...OFF, description: 'No Cross-Origin Resource Sharing', setting: 'cors' },
  'no-gzip': { alias: 'ng', ...OFF, description: 'No compression', setting: 'gzip' },
  snapshots: {
    alias: 'S',
    ...FOLDER,
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
} as const satisfies Record<string, Flag>

/** Our own flags, in the same way. */
const FURTHER_FLAGS = {
  user: {
    ...LOGIN,
    description: 'Adds a login without touching your data: name:password; can be repeated',
    default: [],
    setting: 'logins',
  },
  allow: {
    ...REQUEST,
    description: 'Request that needs no token: "POST /users"; can be repeated. All of them: all',
    default: [],
    start: (requests: readonly string[]): Allow => (requests.includes(ALL) ? ALL : requests),
  },
  public: {
    ...TEXT,
    description:
      'Collection to read without a token: wrapped, without filters or paging; ' +
      "for json-server's array use --allow",
    default: DEFAULTS.publicCollection,
    setting: 'publicCollection',
  },
  'no-public': { ...OFF, description: 'No such collection', setting: 'publicCollection' },
  live: { ...ON, description: 'The public list shows later changes' },
  'expires-in': {
    ...DURATION,
    description: 'Lifetime of a token: 30s, 15m, 1h, 7d',
    default: `${DEFAULTS.tokenLifetime / 3600}h`,
    setting: 'tokenLifetime',
  },
  'in-memory': {
    ...ON,
    description: 'Never write to the data file',
    default: false,
    setting: 'inMemory',
    own: true,
  },
  docs: {
    ...ON,
    description: 'Describe the API, without a token, at /docs and /openapi.json',
    note: (_isOn, url) => `Read and try the API in a browser: ${url}${PAGE_PATH}`,
    hint: 'With --docs, a page shows the API and lets you try it in a browser.',
  },
  sandboxes: {
    ...ON,
    description: 'A separate copy of the data for each value of X-Sandbox',
    note: () => 'Each value of the header X-Sandbox names a separate copy of the data.',
  },
  faults: {
    ...FILE,
    description: 'Rules by which requests fail (JSON)',
    start: (file: string, reloader: Reloader) =>
      reloader.load([file], () => fromJson('file with the faults', file, readFaultRules)),
    note: (file) => `Requests fail by the rules in ${file}.`,
  },
  cert: { ...FILE, description: 'Certificate for HTTPS (PEM)', own: true },
  key: { ...FILE, description: 'Private key for HTTPS (PEM)', own: true },
} as const satisfies Record<string, Flag>

/** The headings of the help, and the rows below each. */
export const FLAG_GROUPS = { "json-server's flags:": JSON_SERVER_FLAGS, 'Further flags:': FURTHER_FLAGS }

type Rows = typeof JSON_SERVER_FLAGS & typeof FURTHER_FLAGS

/** What the flags ask for together: a property for each setting of the table. */
export type FlagSettings = { [Name in keyof Rows as SettingOf<Name>]: Setting<Rows[Name]> }

/** The options of `createApp` that the flags ask for. */
export type FlagOptions = {
  [Name in keyof Rows as Rows[Name] extends { own: true } ? never : SettingOf<Name>]: Rows[Name] extends {
    start: (...args: never) => infer Option
  }
    ? Option | undefined
    : Setting<Rows[Name]>
}

type Setting<Row extends Flag> =
  | (Row extends { type: 'array' } ? Value<Row>[] : Value<Row>)
  | (Row extends { default: unknown } ? never : undefined)

type Value<Row extends Flag> = Exclude<ReturnType<Row['read']>, undefined>

type SettingOf<Name extends keyof Rows> = Rows[Name] extends { setting: infer Setting extends string }
  ? Setting
  : Name

/** None at all is faster than an empty router. */
function startMiddlewares(files: readonly string[], reloader: Reloader): RequestHandler[] {
  if (files.length === 0) return []
  const current = reloader.load(files, () => loadMiddlewares(files))
  return [(request, response, next) => current()(request, response, next)]
}
