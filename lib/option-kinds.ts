import { inspect } from 'node:util'
import { isRecord } from './is-record'
import { nearestName } from './nearest-name'

const SWITCH = ['true', 'false']

/** Marks an option that other code looks at, with sentences of its own. */
const LOOKED_AT_ELSEWHERE: string[] = []

/** What each option of `createApp` may be. */
const KINDS = {
  data: LOOKED_AT_ELSEWHERE,
  secret: LOOKED_AT_ELSEWHERE,
  allow: LOOKED_AT_ELSEWHERE,
  allowedHosts: LOOKED_AT_ELSEWHERE,
  faults: LOOKED_AT_ELSEWHERE,
  logins: ['an array'],
  tokenLifetime: ['a number'],
  clock: ['a function'],
  publicCollection: ['a string', 'false'],
  routes: ['an object', 'a function'],
  login: ['a string', 'an array'],
  signUp: ['a string', 'an array'],
  me: ['a string', 'an array'],
  refresh: ['a string', 'an array'],
  logout: ['a string', 'an array'],
  tokenIn: LOOKED_AT_ELSEWHERE,
  refreshIn: ['a string'],
  refreshOnce: SWITCH,
  loginUsers: ['a string'],
  loginResponse: LOOKED_AT_ELSEWHERE,
  meResponse: LOOKED_AT_ELSEWHERE,
  loginRefusal: LOOKED_AT_ELSEWHERE,
  tokenRefusal: LOOKED_AT_ELSEWHERE,
  tokenClaims: LOOKED_AT_ELSEWHERE,
  lookupUsers: ['an array'],
  title: ['a string'],
  static: ['a string'],
  privateFiles: ['an array'],
  middlewares: ['an array'],
  idProperty: ['a string'],
  foreignKeySuffix: ['a string'],
  cascade: SWITCH,
  delay: ['a number'],
  live: SWITCH,
  docs: SWITCH,
  sandboxes: SWITCH,
  readOnly: SWITCH,
  cors: SWITCH,
  gzip: SWITCH,
  log: SWITCH,
}

/** Resolves to `unknown` when the table has a row for each option, and to `never`, so that nothing compiles, if not. */
type Complete<Options> = Exclude<keyof Options, keyof typeof KINDS> extends never ? unknown : never

/**
 * Says what is wrong with an option that JavaScript lets through: otherwise it would be left out without a
 * word, or fail somewhere inside.
 *
 * @typeParam Options all options: those of the table, to the last one
 * @throws TypeError for the first option that does not exist, or is of the wrong kind
 */
export function requireKinds<Options extends Record<keyof typeof KINDS, unknown>>(
  options: Partial<Options> & Complete<Options>,
): void {
  const kindsOf = new Map<string, readonly string[]>(Object.entries(KINDS))
  for (const [name, value] of Object.entries(options)) {
    const kinds = kindsOf.get(name)
    if (kinds === undefined) throw new TypeError(unknownOption(name))
    if (value === undefined || kinds === LOOKED_AT_ELSEWHERE || kinds.includes(kindOf(value))) continue
    // A login has a password, so the error shows nothing that is in an object.
    throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${kinds.join(' or ')}.`)
  }
}

function unknownOption(name: string): string {
  const nearest = nearestName(name, Object.keys(KINDS))
  return `There is no option "${name}"${nearest === undefined ? '.' : `: did you mean "${nearest}"?`}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
