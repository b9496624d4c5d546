import { camelCase } from 'yargs-parser'
import type { LoginIf } from '../../accounts/login-if'
import { ALL, ALLOW_FORM, isAllowRule } from '../../auth/allow-rules'
import { type Credentials, isCredentials } from '../../auth/credentials'
import type { LoginFields } from '../../auth/person-fields'
import { DEFAULTS } from '../../defaults'
import { isFolder } from '../../files/is-folder'
import { ALLOWED_HOST_FORM, isAllowedHost } from '../../http/allowed-hosts'
import { SANDBOX_HEADER } from '../../http/sandbox-header'
import { isWebAddress, WEB_ADDRESS_FORM } from '../../http/web-address'
import { isRecord } from '../../is-record'
import type { AppOptions } from '../../options/app-options'
import { TIME_STAMPS_FORM } from '../../options/schemas/schema-rules'
import { readDuration } from '../../read-duration'
import { FILE, number, OFF, ON, PATHS, TEMPLATE, TEXT } from './setting-values'

/** Options that come from files here: a name of a file stands for each. */
interface FileSettings {
  /** Only a configuration file can hold the rules themselves. */
  routes?: string | Readonly<Record<string, unknown>>
  middlewares: readonly string[]
  faults?: string
  schemas?: string
}

/** What only the command line has. */
interface OwnSettings {
  config?: string
  port: number
  host: string
  watch?: boolean
  snapshots: string
  quiet: boolean
  inMemory: boolean
  fill?: string
  cert?: string
  key?: string
}

/** Options of `createApp` that no flag gives. */
type WithoutFlag = 'data' | 'secret' | 'clock' | 'lookupUsers' | 'title' | 'privateFiles' | 'log'

/** What the flags settle: options of `createApp` by their names, and what the command line has beside them. */
interface FlagSettings
  extends Omit<AppOptions, keyof FileSettings | WithoutFlag>,
    FileSettings,
    OwnSettings {}

/** The settings with their defaults: a list for what can be given several times, and a value for what has one. */
export interface SettledFlags extends FlagSettings {
  logins: readonly Credentials[]
  login: readonly string[]
  signUp: readonly string[]
  me: readonly string[]
  refresh: readonly string[]
  logout: readonly string[]
  tokenIn: readonly string[]
  allowedHosts: readonly string[]
  private: readonly string[]
  owned: readonly string[]
  publicCollection: string | false
  idProperty: string
  foreignKeySuffix: string
  tokenLifetime: number
}

/** The one value of a setting, or of several. */
type One<Value> = Value extends readonly (infer Item)[] ? Item | Value : Value

/** A row of the table: all that the command line needs for a flag. */
interface Flag<Setting extends keyof FlagSettings> {
  /** The option that it gives: a value of another type does not compile. */
  setting: Setting
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
  read(given: unknown): One<FlagSettings[Setting]> | undefined
  /** What stands for the value when none was given, as it could be given. */
  default?: string | number | boolean
  /** A file or folder that is used when none was given, if it exists. An empty value then stands for none. */
  usual?: string
  /** Whether the start ends where a value cannot be used: without the flag, the data could be changed. */
  isSafeguard?: true
  /** Whether only a configuration file can give it: then a list is one value. */
  inFileOnly?: true
}

/** A row of any flag. */
type AnyFlag = { [Setting in keyof FlagSettings]-?: Flag<Setting> }[keyof FlagSettings]

/** json-server 0.17.4's flags with their aliases. */
const JSON_SERVER_FLAGS = {
  config: {
    setting: 'config',
    alias: 'c',
    ...FILE,
    description: 'Configuration file; json-server.json is used if it exists',
    usual: 'json-server.json',
  },
  port: {
    setting: 'port',
    alias: 'p',
    description: 'Port (or environment variable PORT)',
    expected: 'an integer from 0 to 65535, for instance 3000',
    read: number(/^\d+$/, 65_535),
    default: 33_000,
  },
  host: {
    setting: 'host',
    alias: 'H',
    ...TEXT,
    description: 'Host; 0.0.0.0 in a container',
    default: 'localhost',
  },
  watch: { setting: 'watch', alias: 'w', ...ON, description: 'No effect: all files are watched anyway' },
  routes: {
    setting: 'routes',
    alias: 'r',
    ...FILE,
    description: 'Rewrite rules; routes.json is used if it exists',
    expected: 'a file that exists, or in a configuration file an object of rules',
    read: (given) => (isRecord(given) ? given : FILE.read(given)),
    usual: 'routes.json',
  },
  middlewares: {
    setting: 'middlewares',
    alias: 'm',
    ...FILE,
    type: 'array',
    several: true,
    description: 'Middleware files',
  },
  static: {
    setting: 'static',
    alias: 's',
    ...TEXT,
    description: 'Public folder; ./public is used if it exists',
    usual: 'public',
  },
  'read-only': {
    setting: 'readOnly',
    alias: 'ro',
    isSafeguard: true,
    ...ON,
    description: 'Refuse every change; the login still works',
  },
  'no-cors': { setting: 'cors', alias: 'nc', ...OFF, description: 'No Cross-Origin Resource Sharing' },
  'no-gzip': { setting: 'gzip', alias: 'ng', ...OFF, description: 'No compression' },
  snapshots: {
    setting: 'snapshots',
    alias: 'S',
    description: 'Folder for snapshots (s + Enter)',
    expected: 'a folder that exists',
    read: (given) => (isFolder(String(given)) ? String(given) : undefined),
    default: '.',
  },
  delay: {
    setting: 'delay',
    alias: 'd',
    description: 'Delay of resources, in milliseconds',
    expected: 'a number of milliseconds, for instance 500',
    // Node's timers take no more than ten digits.
    read: number(/^\d{1,9}(\.\d+)?$/),
  },
  id: {
    setting: 'idProperty',
    alias: 'i',
    ...TEXT,
    description: 'Name of the id property',
    default: DEFAULTS.idProperty,
  },
  foreignKeySuffix: {
    setting: 'foreignKeySuffix',
    alias: 'fks',
    ...TEXT,
    description: 'End of foreign keys',
    default: DEFAULTS.foreignKeySuffix,
  },
  quiet: {
    setting: 'quiet',
    alias: 'q',
    ...ON,
    description: 'Print nothing but warnings and errors',
    default: false,
  },
} satisfies Record<string, AnyFlag>

/** This project's own flags, in the same way: first what most people need. */
const OWN_FLAGS = {
  user: {
    setting: 'logins',
    description: 'Adds a login: name:password; can be repeated',
    several: true,
    expected: 'a name, a colon and a password, for instance me:secret',
    isSecret: true,
    // The first colon separates: the password can hold others.
    read: (given) => {
      const { groups } = /^(?<email>[^:]+):(?<password>.+)$/s.exec(String(given)) ?? {}
      return isCredentials(groups) ? groups : undefined
    },
  },
  allow: {
    setting: 'allow',
    description: 'Request that needs no token: "POST /users"; can be repeated. Or: all',
    several: true,
    expected: ALLOW_FORM,
    read: (given) => {
      const text = String(given)
      return text === ALL || isAllowRule(text) ? text : undefined
    },
  },
  'allow-host': {
    setting: 'allowedHosts',
    description: 'With --allow all or --openid, another host: 10.0.2.2; can be repeated. Or: all',
    several: true,
    expected: ALLOWED_HOST_FORM,
    read: (given) => (isAllowedHost(given) ? given : undefined),
  },
  login: { setting: 'login', ...PATHS, description: "Your application's login: /login; can be repeated" },
  'sign-up': { setting: 'signUp', ...PATHS, description: 'Its sign-up: /register; can be repeated' },
  me: { setting: 'me', ...PATHS, description: 'Where it asks whose token it has: /me; can be repeated' },
  refresh: {
    setting: 'refresh',
    ...PATHS,
    description: 'Where it exchanges a refresh token: /refresh; can be repeated',
  },
  logout: {
    setting: 'logout',
    ...PATHS,
    description: 'Where it ends a session: "DELETE /session"; can be repeated',
  },
  openid: { setting: 'openid', ...ON, description: 'The OpenID provider of its users, for such front ends' },
  issuer: {
    setting: 'issuer',
    description: 'What its tokens name as their maker: http://mock:33000',
    expected: WEB_ADDRESS_FORM,
    read: (given) => (isWebAddress(given) ? given : undefined),
  },
  'token-in': {
    setting: 'tokenIn',
    ...TEXT,
    several: true,
    description: 'Its token: x-access-token, authorization (bare), cookie:session',
  },
  'refresh-in': { setting: 'refreshIn', ...TEXT, description: 'Cookie of the refresh token: cookie:refresh' },
  'refresh-once': { setting: 'refreshOnce', ...ON, description: 'A refresh token is good for one use' },
  'any-password': { setting: 'anyPassword', ...ON, description: 'Users without a password log in with any' },
  'login-response': { setting: 'loginResponse', ...TEMPLATE },
  'login-headers': {
    setting: 'loginHeaders',
    description: 'Headers of that response',
    inFileOnly: true,
    read: (given): Readonly<Record<string, string>> | undefined => (isTexts(given) ? given : undefined),
    expected: 'texts by names of headers, for instance {"Authorization": "Bearer $token"}',
  },
  'me-response': { setting: 'meResponse', ...TEMPLATE },
  'logout-response': { setting: 'logoutResponse', ...TEMPLATE },
  'login-refusal': { setting: 'loginRefusal', ...TEMPLATE },
  'sign-up-refusal': { setting: 'signUpRefusal', ...TEMPLATE },
  'token-refusal': { setting: 'tokenRefusal', ...TEMPLATE },
  'token-claims': { setting: 'tokenClaims', ...TEMPLATE },
  'login-users': {
    setting: 'loginUsers',
    ...TEXT,
    description: 'Collection whose records log in',
    inFileOnly: true,
  },
  'login-fields': {
    setting: 'loginFields',
    description: 'Which of their fields are names, and which the password',
    inFileOnly: true,
    // What is wrong in it is said where the other options of logins are read.
    read: (given): LoginFields | undefined => (isRecord(given) ? given : undefined),
    expected: 'an object, for instance {"names": ["npp"], "password": "code"}',
  },
  'login-if': {
    setting: 'loginIf',
    description: 'Which of them may log in',
    inFileOnly: true,
    read: (given): LoginIf | undefined => (isRecord(given) ? given : undefined),
    expected: 'an object, for instance {"active": true, "deletedAt": null}',
  },
  private: {
    setting: 'private',
    ...TEXT,
    several: true,
    description: 'Records that only their owner sees: todos; can be repeated',
  },
  owned: {
    setting: 'owned',
    ...TEXT,
    several: true,
    description: 'Records that only their owner changes: posts; can be repeated',
  },
  docs: {
    setting: 'docs',
    ...ON,
    description: 'Show the data at /docs/data, and the API at /docs and /openapi.json',
  },
  sandboxes: {
    setting: 'sandboxes',
    ...ON,
    description: `A separate copy of the data for each value of ${SANDBOX_HEADER}`,
  },
  faults: {
    setting: 'faults',
    ...FILE,
    description: 'Answers of your own, failures and delays (JSON)',
  },
  schemas: {
    setting: 'schemas',
    ...FILE,
    description: 'What records must be: a JSON Schema for each collection',
  },
  'schema-refusal': { setting: 'schemaRefusal', ...TEMPLATE },
  'time-stamps': {
    setting: 'timeStamps',
    description: 'Fields for when a record was added and changed: createdAt,updatedAt',
    expected: TIME_STAMPS_FORM,
    read: (given) => (/^[^,]+(,[^,]+)?$/.test(String(given)) ? String(given).split(',') : undefined),
  },
  ids: {
    setting: 'ids',
    description: 'Ids of new records: uuid',
    expected: 'uuid',
    read: (given) => (given === 'uuid' ? given : undefined),
  },
  public: {
    setting: 'publicCollection',
    ...TEXT,
    description: 'Collection that needs no token, as {"blogs": [...]}',
    default: DEFAULTS.publicCollection,
  },
  'no-public': { setting: 'publicCollection', ...OFF, description: 'No such collection' },
  live: { setting: 'live', ...ON, description: 'The public list shows later changes' },
  'no-cascade': { setting: 'cascade', ...OFF, description: 'A DELETE removes only what it names' },
  nested: { setting: 'nested', ...ON, description: 'Paths into nested data, beside --middlewares, too' },
  'expires-in': {
    setting: 'tokenLifetime',
    description: 'Lifetime of a token: 30s, 15m, 1h, 7d',
    expected: 'a number and a unit (s, m, h or d), for instance 15m',
    read: readDuration,
    default: `${DEFAULTS.tokenLifetime / 3600}h`,
  },
  'in-memory': {
    setting: 'inMemory',
    ...ON,
    description: 'Never write to the data file',
    default: false,
  },
  fill: {
    setting: 'fill',
    ...TEXT,
    isFile: true,
    description: 'File or folder that fills an empty database (JSON)',
  },
  cert: { setting: 'cert', ...FILE, description: 'Certificate for HTTPS (PEM)' },
  key: { setting: 'key', ...FILE, description: 'Private key for HTTPS (PEM)' },
} satisfies Record<string, AnyFlag>

function isTexts(given: unknown): given is Readonly<Record<string, string>> {
  return isRecord(given) && Object.values(given).every((value) => typeof value === 'string')
}

/** In the order of the help. */
const FLAGS = { ...OWN_FLAGS, ...JSON_SERVER_FLAGS }

/** The settings that no row gives: with one, the table below does not compile. */
type WithoutRow = Exclude<keyof FlagSettings, (typeof FLAGS)[keyof typeof FLAGS]['setting']>
const COMPLETE: [WithoutRow] extends [never] ? typeof FLAGS : WithoutRow = FLAGS

/** The table, to be read by any name: each row with its flag, its setting, and whether it is this project's own. */
export const ROWS = Object.entries<AnyFlag>(COMPLETE).map(([flag, row]) => ({
  ...row,
  flag,
  isOwn: flag in OWN_FLAGS,
}))

/** A row of the table, as it is read by any name. */
export type FlagRow = (typeof ROWS)[number]

/** Values to be read by any name: by those of flags as they were given, or by those of settings. */
export type Given = Readonly<Record<string, unknown>>

/** The row of a flag, by its alias or its name, in camel case, too. */
export function rowOf(name: string): FlagRow | undefined {
  const wanted = camelCase(name)
  return ROWS.find(({ flag, alias }) => alias === name || camelCase(flag) === wanted)
}
