import { inspect } from 'node:util'
import { isRecord } from './is-record'

const SWITCH = ['true', 'false']

/** What each option of `createApp` may be, but for those of which other code says that they are wrong. */
const KINDS = {
  logins: ['an array'],
  clock: ['a function'],
  publicCollection: ['a string', 'false'],
  routes: ['an object', 'a function'],
  login: ['a string', 'an array'],
  signUp: ['a string', 'an array'],
  me: ['a string', 'an array'],
  refresh: ['a string', 'an array'],
  logout: ['a string', 'an array'],
  refreshIn: ['a string'],
  refreshOnce: SWITCH,
  loginUsers: ['a string'],
  lookupUsers: ['an array'],
  title: ['a string'],
  static: ['a string'],
  privateFiles: ['an array'],
  middlewares: ['an array'],
  idProperty: ['a string'],
  foreignKeySuffix: ['a string'],
  delay: ['a number'],
  live: SWITCH,
  docs: SWITCH,
  sandboxes: SWITCH,
  readOnly: SWITCH,
  cors: SWITCH,
  gzip: SWITCH,
  log: SWITCH,
}

/**
 * Says what is wrong with an option that JavaScript lets through: otherwise it would be left out without a
 * word, or fail somewhere inside.
 *
 * @typeParam Options all options: a row of the table that names none of them does not compile
 * @throws TypeError for the first option of the wrong kind
 */
export function requireKinds<Options extends Record<keyof typeof KINDS, unknown>>(
  options: Partial<Options>,
): void {
  for (const [name, kinds] of Object.entries(KINDS)) {
    const value: unknown = Reflect.get(options, name)
    // A login has a password, so the error shows nothing that is in an object.
    if (value !== undefined && !kinds.includes(kindOf(value)))
      throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${kinds.join(' or ')}.`)
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
