import { inspect } from 'node:util'
import { isRecord } from './is-record'

/** Whether a value is of the kind that an option must be, and what that is, in an error. */
type Kind = readonly [isOfKind: (value: unknown) => boolean, words: string]

const isFunction = (value: unknown) => typeof value === 'function'
const isText = (value: unknown) => typeof value === 'string'
const NAME: Kind = [(value) => isText(value) && value !== '', 'a text that is not empty']
const SWITCH: Kind = [(value) => typeof value === 'boolean', 'true or false']

/** In milliseconds: Node's timers wait no longer than this. */
export const LONGEST_DELAY = 2 ** 31 - 1

/** The options of `createApp` of which nothing else says that they are of the wrong kind. */
const KINDS = {
  logins: [Array.isArray, 'an array of objects with an email and a password'],
  clock: [isFunction, 'a function that returns milliseconds'],
  publicCollection: [
    (value) => value === false || isText(value),
    'the name of a collection, or false for none',
  ],
  routes: [
    (value) => isRecord(value) || isFunction(value),
    'an object of rewrite rules, or a function that returns one',
  ],
  lookupUsers: [Array.isArray, 'an array of users'],
  title: [isText, 'a text'],
  static: [isText, 'the path of a folder'],
  privateFiles: [Array.isArray, 'an array of paths'],
  middlewares: [Array.isArray, 'an array of functions'],
  idProperty: NAME,
  foreignKeySuffix: NAME,
  delay: [
    (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_DELAY,
    `a number of milliseconds, from 0 to ${LONGEST_DELAY.toLocaleString('en')}`,
  ],
  live: SWITCH,
  docs: SWITCH,
  sandboxes: SWITCH,
  readOnly: SWITCH,
  cors: SWITCH,
  gzip: SWITCH,
  log: SWITCH,
} satisfies Record<string, Kind>

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
  for (const [name, [isOfKind, words]] of Object.entries<Kind>(KINDS)) {
    const value: unknown = Reflect.get(options, name)
    // A login has a password, so the error shows nothing that is in an object.
    if (value !== undefined && !isOfKind(value))
      throw new TypeError(`${name}: ${inspect(value, { depth: -1 })} must be ${words}.`)
  }
}
