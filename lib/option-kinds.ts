import { inspect } from 'node:util'
import { isRecord } from './is-record'

/** What an option must be, in words, and whether a value is that. */
interface Kind {
  words: string
  holds: (value: unknown) => boolean
}

const SWITCH: Kind = { words: 'true or false', holds: (value) => typeof value === 'boolean' }
const TEXT: Kind = { words: 'a string', holds: (value) => typeof value === 'string' }
const NAME: Kind = {
  words: 'a string that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
}
const OBJECT: Kind = { words: 'an object', holds: isRecord }
const FUNCTION: Kind = { words: 'a function', holds: isFunction }
const LIST: Kind = { words: 'an array', holds: Array.isArray }

/** The options of `createApp` that no step checks when it is made. */
const KINDS: Readonly<Record<string, Kind>> = {
  logins: LIST,
  clock: FUNCTION,
  publicCollection: {
    words: 'the name of a collection, or false',
    holds: (value) => value === false || typeof value === 'string',
  },
  live: SWITCH,
  routes: {
    words: 'an object of rules, or a function that returns one',
    holds: (value) => isRecord(value) || isFunction(value),
  },
  lookupUsers: LIST,
  docs: SWITCH,
  title: TEXT,
  sandboxes: SWITCH,
  allow: {
    words: 'the word "all", or an array such as ["POST /users"]',
    holds: (value) => value === 'all' || Array.isArray(value),
  },
  static: NAME,
  privateFiles: LIST,
  middlewares: LIST,
  idProperty: NAME,
  foreignKeySuffix: TEXT,
  delay: {
    words: 'a number of milliseconds, of at least 0',
    holds: (value) => typeof value === 'number' && value >= 0,
  },
  readOnly: SWITCH,
  cors: SWITCH,
  gzip: SWITCH,
  log: SWITCH,
}

/** What stands in the options that are arrays. As in Express, an array of middlewares may hold others. */
const ITEMS: Readonly<Record<string, Kind>> = {
  logins: OBJECT,
  lookupUsers: OBJECT,
  privateFiles: NAME,
  middlewares: FUNCTION,
}

/**
 * Refuses an option of `createApp` that is of the wrong kind, where a step would fail on it without a word
 * about the option, or only at a request.
 *
 * @throws TypeError that names the option, what it must be and what it is
 */
export function checkOptions(options: unknown): void {
  expectKind('The argument of createApp', options, OBJECT)
  for (const [name, kind] of Object.entries(KINDS)) {
    const value: unknown = Reflect.get(Object(options), name)
    if (value !== undefined) expectKind(`createApp's option "${name}"`, value, kind)
    const item = ITEMS[name]
    if (item === undefined || !Array.isArray(value)) continue
    for (const one of value.flat(Number.POSITIVE_INFINITY))
      expectKind(`Each item of createApp's option "${name}"`, one, item)
  }
}

function expectKind(subject: string, value: unknown, { words, holds }: Kind): void {
  // Of an object, only its class is quoted: it may hold a password.
  if (!holds(value)) throw new TypeError(`${subject} must be ${words}, not ${inspect(value, { depth: -1 })}.`)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
