import type { ErrorRequestHandler, RequestHandler } from 'express'
import { ACCOUNT_KINDS, type AccountOptions } from '../accounts/account-options'
import type { SigningKey } from '../auth/access-token'
import type { Allow } from '../auth/allow-rules'
import type { Credentials } from '../auth/credentials'
import type { Template } from '../auth/template'
import type { Current } from '../current'
import type { DataSource } from '../data/data-source'
import type { Data } from '../data/valid-data'
import type { AllowedHosts } from '../http/allowed-hosts'
import type { CurrentRules } from '../http/rewrite-rules'
import { type KindsOf, LOOKED_AT_ELSEWHERE } from '../option-kinds'
import type { CurrentFaults } from './faults/fault-rule'
import type { Schemas } from './schemas/compile'

/** A record of the user lookup service. It has no id: a client names it by its position in the list. */
export interface LookupUser {
  readonly name: string
  readonly age: number
}

/** What `createApp` takes. */
export interface AppOptions extends AccountOptions {
  /** The collections: in memory, or a source such as a `DataFile`. */
  data: Data | DataSource
  /** Signs the tokens. Default: a random secret, which ends all sessions with the process. */
  secret?: SigningKey
  /** Logins besides the users in the data; no route shows them. Default: none. */
  logins?: readonly Credentials[]
  /** Seconds that a token lasts. Default: 3,600. */
  tokenLifetime?: number
  /** Milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
  /** The publicly readable collection, or false for none. Default: `blogs`; none where all is allowed. */
  publicCollection?: string | false
  /** Whether the public list shows changes made since the data was loaded. Default: false. */
  live?: boolean
  /**
   * Rewrite rules as in json-server's `routes.json`, or a function that returns the current ones. Default:
   * none.
   */
  routes?: CurrentRules
  /** The records of the user lookup service. Default: three sample users. */
  lookupUsers?: readonly LookupUser[]
  /** Is the OpenID provider of its users, for front ends that log in by OpenID Connect. Default: false. */
  openid?: boolean
  /** What its tokens name as their maker, such as `http://mock:33000`. Default: the address that a request has asked. */
  issuer?: string
  /** Serves an OpenAPI document and a page to read it, without a token. Default: false. */
  docs?: boolean
  /** The title of that document and page. Default: the name of the data's file, or `json-server-bearer`. */
  title?: string
  /**
   * Gives separate data to every test or visitor that names a sandbox: see docs/testing.md. Default: false.
   */
  sandboxes?: boolean
  /**
   * Requests that need no token: a method and a path of literal segments, of which the last may be `:id`,
   * such as `POST /users`. Default: none. With `all`, no request needs one. Then a server that is bound to a
   * loopback address refuses web pages of other sites; one that is bound to another address, as by
   * `app.listen(port)`, does not.
   */
  allow?: Allow
  /**
   * With `openid`, the hosts to which a browser may be sent with a code, and schemes of applications, such as `myapp://`.
   * With `allow: 'all'` on a loopback address: the hosts and origins that are taken for localhost, such as
   * `10.0.2.2`, `.test` with all names below it, or `chrome-extension://abc`. With `all`, none is refused, for
   * a server behind a bridge that everybody may use. Default: none.
   */
  allowedHosts?: AllowedHosts
  /**
   * Rules by which requests of the main data fail, wait or get answers, or a function that returns the current
   * ones: see docs/testing.md. Changed rules restart their counts. Default: none.
   */
  faults?: CurrentFaults
  /**
   * A JSON Schema for each collection, which what is sent must fit, and in `$defs` what they share; or a function that
   * returns the current ones: see docs/schemas.md. Default: none.
   */
  schemas?: Current<Schemas>
  /**
   * The status of what does not fit, or `{ status, body }`, where the body is that of all that is said of fields. Default: 422,
   * with `message`, `error` and `errors`.
   */
  schemaRefusal?: Template
  /** The field for the time at which a record was added, and one for that of its last change. Default: none. */
  timeStamps?: readonly string[]
  /** How new records get their ids: `uuid`. Default: as in json-server. */
  ids?: 'uuid'
  /** A folder that is served publicly. Default: none. */
  static?: string
  /**
   * Paths of files, and of folders, that are never served from it, like the data's own files, and files named after either.
   * Default: none.
   */
  privateFiles?: readonly string[]
  /** Middlewares between the token check and the router. Default: none. */
  middlewares?: readonly RequestHandler[]
  /** Name of the id property. Default: `id`. */
  idProperty?: string
  /** What ends the name of a foreign key. Default: `Id`. */
  foreignKeySuffix?: string
  /** Collections whose records only their owner sees and changes, such as `todos` or `todos.ownerId`. Default: none. */
  private?: readonly string[]
  /** Collections whose records only their owner changes. Default: none. */
  owned?: readonly string[]
  /** Whether a DELETE also removes the records that refer to the one that it names. Default: true. */
  cascade?: boolean
  /**
   * Whether lists and objects that are nested in the data have paths, such as `/users/1/orders`. Default: true, unless
   * there are middlewares, which may guard `/users/:id` and know nothing of these.
   */
  nested?: boolean
  /** Milliseconds by which every request to the resources is delayed. Default: 0. */
  delay?: number
  /** Refuses every change. Default: false. */
  readOnly?: boolean
  /** Responds to preflights and allows every origin. Default: true. */
  cors?: boolean
  /** Compresses responses. Default: true. */
  gzip?: boolean
  /** Logs a line for each request. Default: true. */
  log?: boolean
}

/** What each of them must be. */
export const APP_KINDS: KindsOf<AppOptions> = {
  ...ACCOUNT_KINDS,
  data: LOOKED_AT_ELSEWHERE,
  secret: LOOKED_AT_ELSEWHERE,
  logins: ['an array'],
  tokenLifetime: ['a number'],
  clock: ['a function that returns at once'],
  publicCollection: ['a string', 'false'],
  live: ['true', 'false'],
  routes: ['an object', 'a function that returns at once'],
  lookupUsers: ['an array'],
  openid: ['true', 'false'],
  issuer: ['a string'],
  docs: ['true', 'false'],
  title: ['a string'],
  sandboxes: ['true', 'false'],
  allow: LOOKED_AT_ELSEWHERE,
  allowedHosts: LOOKED_AT_ELSEWHERE,
  faults: ['an array', 'a function that returns at once'],
  schemas: ['an object', 'a function that returns at once'],
  schemaRefusal: LOOKED_AT_ELSEWHERE,
  timeStamps: ['an array'],
  ids: LOOKED_AT_ELSEWHERE,
  static: ['a string'],
  privateFiles: ['an array'],
  middlewares: ['an array'],
  idProperty: ['a string'],
  foreignKeySuffix: ['a string'],
  private: ['an array'],
  owned: ['an array'],
  cascade: ['true', 'false'],
  nested: ['true', 'false'],
  delay: ['a number of milliseconds, from 0 to 999999999'],
  readOnly: ['true', 'false'],
  cors: ['true', 'false'],
  gzip: ['true', 'false'],
  log: ['true', 'false'],
}

/** The same, with middlewares of files: one with four parameters takes errors. */
export interface ServerOptions extends Omit<AppOptions, 'middlewares'> {
  middlewares?: readonly (RequestHandler | ErrorRequestHandler)[]
}
