import { camelCase } from 'yargs-parser'
import { ALL, ALLOW_FORM, isAllowRule } from '../../auth/allow-rules'
import { isCredentials } from '../../auth/credentials'
import type { LoginFields } from '../../auth/person-fields'
import { DEFAULTS } from '../../defaults'
import { isFolder } from '../../files/is-folder'
import { ALLOWED_HOST_FORM, isAllowedHost } from '../../http/allowed-hosts'
import { isRecord } from '../../is-record'
import { SANDBOX_HEADER } from '../../options/sandboxes/protocol'
import { readDuration } from '../../read-duration'
import { FILE, number, OFF, ON, PATHS, TEMPLATE, TEXT } from './setting-values'

/** A row of the table: all that the command line needs for a flag. */
interface Flag {
  alias?: string
  description: string
  /** What yargs takes: an array takes all words that follow. Default: `string`. */
  type?: 'string' | 'boolean' | 'array'
  /** Whether it can be given several times; of any other flag, the last counts, as in json-server. */
  several?: true
  /** Whether a value names a file. No such file is ever served. */
  isFile?: true
  /** What a value must be, in an error. */
  expected?: string
  /** Whether an error does not repeat a value, because it may hold a password. */
  isSecret?: true
  /** Makes a value from one that was given; undefined for what cannot be used. */
  read(given: unknown): unknown
  /** What stands for the value when none was given. */
  default?: unknown
  /** A file or folder that is used when none was given, if it exists. An empty value then stands for none. */
  usual?: string
  /** The name in `Settings`. Default: the flag in camel case, without its `no-`. */
  setting?: string
  /** Whether only a configuration file can give it: then a list is one value. */
  inFileOnly?: true
}

/**
 * json-server 0.17.4's flags with their aliases. A setting has the name of an option of `createApp` and
 * becomes that option, unless `flag-options.ts` says that it is the command line's own: a name that is neither does
 * not compile (`server.ts`).
 */
const JSON_SERVER_FLAGS = {
  config: {
    alias: 'c',
    ...FILE,
    description: 'Configuration file; json-server.json is used if it exists',
    usual: 'json-server.json',
  },
  port: {
    alias: 'p',
    description: 'Port (or environment variable PORT)',
    expected: 'an integer from 0 to 65535, for instance 3000',
    read: number(/^\d+$/, 65_535),
    default: 33_000,
  },
  host: { alias: 'H', ...TEXT, description: 'Host; 0.0.0.0 in a container', default: 'localhost' },
  watch: { alias: 'w', ...ON, description: 'No effect: all files are watched anyway' },
  routes: {
    alias: 'r',
    ...FILE,
    description: 'Rewrite rules; routes.json is used if it exists',
    usual: 'routes.json',
  },
  middlewares: {
    alias: 'm',
    ...FILE,
    type: 'array',
    several: true,
    description: 'Middleware files',
  },
  static: {
    alias: 's',
    ...TEXT,
    description: 'Public folder; ./public is used if it exists',
    usual: 'public',
  },
  'read-only': {
    alias: 'ro',
    ...ON,
    description: 'Refuse every change; the login still works',
  },
  'no-cors': { alias: 'nc', ...OFF, description: 'No Cross-Origin Resource Sharing' },
  'no-gzip': { alias: 'ng', ...OFF, description: 'No compression' },
  snapshots: {
    alias: 'S',
    description: 'Folder for snapshots (s + Enter)',
    expected: 'a folder that exists',
    read: (given) => (isFolder(String(given)) ? String(given) : undefined),
    default: '.',
  },
  delay: {
    alias: 'd',
    description: 'Delay of resources, in milliseconds',
    expected: 'a number of milliseconds, for instance 500',
    // Node's timers take no more than ten digits.
    read: number(/^\d{1,9}(\.\d+)?$/),
  },
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
  },
} as const satisfies Record<string, Flag>

/** This project's own flags, in the same way: first what most people need. */
const OWN_FLAGS = {
  user: {
    description: 'Adds a login: name:password; can be repeated',
    several: true,
    expected: 'a name, a colon and a password, for instance me:secret',
    isSecret: true,
    // The first colon separates: the password can hold others.
    read: (given) => {
      const { groups } = /^(?<email>[^:]+):(?<password>.+)$/s.exec(String(given)) ?? {}
      return isCredentials(groups) ? groups : undefined
    },
    setting: 'logins',
  },
  allow: {
    description: 'Request that needs no token: "POST /users"; can be repeated. Or: all',
    several: true,
    expected: ALLOW_FORM,
    read: (given) => {
      const text = String(given)
      return text === ALL || isAllowRule(text) ? text : undefined
    },
  },
  'allow-host': {
    description: 'With --allow all, another host: 10.0.2.2; can be repeated. Or: all',
    several: true,
    expected: ALLOWED_HOST_FORM,
    read: (given) => (isAllowedHost(given) ? given : undefined),
    setting: 'allowedHosts',
  },
  login: { ...PATHS, description: "Your application's login: /login; can be repeated" },
  'sign-up': { ...PATHS, description: 'Its sign-up: /register; can be repeated' },
  me: { ...PATHS, description: 'Where it asks whose token it has: /me; can be repeated' },
  refresh: { ...PATHS, description: 'Where it exchanges a refresh token: /refresh; can be repeated' },
  logout: { ...PATHS, description: 'Where it ends a session: "DELETE /session"; can be repeated' },
  'token-in': {
    ...TEXT,
    several: true,
    description: 'Its token: x-access-token, authorization (bare), cookie:session',
  },
  'refresh-in': { ...TEXT, description: 'Cookie of the refresh token: cookie:refresh' },
  'refresh-once': { ...ON, description: 'A refresh token is good for one use' },
  'any-password': { ...ON, description: 'Users without a password log in with any' },
  'login-response': TEMPLATE,
  'login-headers': {
    description: 'Headers of that response',
    inFileOnly: true,
    read: (given): Readonly<Record<string, string>> | undefined => (isTexts(given) ? given : undefined),
    expected: 'texts by names of headers, for instance {"Authorization": "Bearer $token"}',
  },
  'me-response': TEMPLATE,
  'login-refusal': TEMPLATE,
  'sign-up-refusal': TEMPLATE,
  'token-refusal': TEMPLATE,
  'token-claims': TEMPLATE,
  'login-users': {
    ...TEXT,
    description: 'Collection whose records log in',
    inFileOnly: true,
  },
  'login-fields': {
    description: 'Which of their fields are names, and which the password',
    inFileOnly: true,
    // What is wrong in it is said where the other options of logins are read.
    read: (given): LoginFields | undefined => (isRecord(given) ? given : undefined),
    expected: 'an object, for instance {"names": ["npp"], "password": "code"}',
  },
  docs: {
    ...ON,
    description: 'Describe the API, without a token, at /docs and /openapi.json',
  },
  sandboxes: {
    ...ON,
    description: `A separate copy of the data for each value of ${SANDBOX_HEADER}`,
  },
  faults: {
    ...FILE,
    description: 'Rules by which requests fail (JSON)',
  },
  public: {
    ...TEXT,
    description: 'Collection that needs no token, as {"blogs": [...]}',
    default: DEFAULTS.publicCollection,
    setting: 'publicCollection',
  },
  'no-public': { ...OFF, description: 'No such collection', setting: 'publicCollection' },
  live: { ...ON, description: 'The public list shows later changes' },
  'no-cascade': { ...OFF, description: 'A DELETE removes only what it names' },
  'expires-in': {
    description: 'Lifetime of a token: 30s, 15m, 1h, 7d',
    expected: 'a number and a unit (s, m, h or d), for instance 15m',
    read: readDuration,
    default: `${DEFAULTS.tokenLifetime / 3600}h`,
    setting: 'tokenLifetime',
  },
  'in-memory': {
    ...ON,
    description: 'Never write to the data file',
    default: false,
  },
  fill: {
    ...TEXT,
    isFile: true,
    description: 'File or folder that fills an empty database (JSON)',
  },
  cert: { ...FILE, description: 'Certificate for HTTPS (PEM)' },
  key: { ...FILE, description: 'Private key for HTTPS (PEM)' },
} as const satisfies Record<string, Flag>

function isTexts(given: unknown): given is Readonly<Record<string, string>> {
  return isRecord(given) && Object.values(given).every((value) => typeof value === 'string')
}

/** In the order of the help. */
const FLAGS = { ...OWN_FLAGS, ...JSON_SERVER_FLAGS }

type Rows = typeof FLAGS

/** What the flags ask for together: a property for each setting of the table. */
export type FlagSettings = { [Name in keyof Rows as SettingName<Name>]: SettingType<Rows[Name]> }

/** The name of a flag's setting: the one in its row, or that of the flag. */
type SettingName<Name extends keyof Rows> = Rows[Name] extends { setting: infer Given extends string }
  ? Given
  : CamelCase<Name extends `no-${infer Usual}` ? Usual : Name>

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The type of a flag's setting: a list where it can be given several times, undefined without a default. */
type SettingType<Row extends Flag> = Row extends { several: true }
  ? ReadValue<Row>[]
  : Row extends { default: unknown }
    ? ReadValue<Row>
    : ReadValue<Row> | undefined

/** The type of the values that a row can read: undefined stands for what cannot be used. */
type ReadValue<Row extends Flag> = Exclude<ReturnType<Row['read']>, undefined>

/** The table, to be read by any name: each row with its flag, its setting, and whether it is this project's own. */
export const ROWS = Object.entries<Flag>(FLAGS).map(([flag, row]) => ({
  setting: camelCase(flag.replace(/^no-/, '')),
  ...row,
  flag,
  isOwn: flag in OWN_FLAGS,
}))

/** A row of the table, as it is read by any name. */
export type Row = (typeof ROWS)[number]

/** Values to be read by any name: by those of flags as they were given, or by those of settings. */
export type Given = Readonly<Record<string, unknown>>

/** The row of a flag, by its alias or its name, in camel case, too. */
export function rowOf(name: string): Row | undefined {
  const wanted = camelCase(name)
  return ROWS.find(({ flag, alias }) => alias === name || camelCase(flag) === wanted)
}
