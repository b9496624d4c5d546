import { ALL, readAllowRule } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'
import { errorMessage } from '../../error-code'
import { UsageError } from './usage-error'

/** A kind of values: how they are written, and what they become. */
export interface Kind<Value> {
  /** Default: `string`. */
  type?: 'string' | 'boolean' | 'array'
  /** How many words each use of an array takes. Default: all that follow. */
  nargs?: number
  /**
   * Makes the value from what was given; undefined where that leaves the setting as it is.
   *
   * @param name the flag as it was written, for an error
   * @throws UsageError when it cannot be used
   */
  read: (given: unknown, name: string) => Value
}

/** Turns something on. */
export const ON: Kind<boolean> = { type: 'boolean', read: (given) => String(given) === 'true' }

/** Turns something off that is on by default. */
export const OFF: Kind<false | undefined> = {
  type: 'boolean',
  read: (given, name) => (ON.read(given, name) ? false : undefined),
}

/** @param parse gives undefined for what cannot be used */
function kind<Value>(expected: string, parse: (given: unknown) => Value | undefined): Kind<Value> {
  return {
    read: (given, name) => {
      const value = parse(given)
      if (value === undefined) throw new UsageError(`${name} must be ${expected}.`)
      return value
    },
  }
}

/** Only a configuration file can hold something else. */
export const TEXT = kind('a string', (given) =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : undefined,
)

export const PORT = kind('an integer from 0 to 65535, for instance 3000', number(/^\d+$/, 65_535))

/** At most the longest time of Node's timers. */
export const MILLISECONDS = kind(
  'a number of milliseconds, for instance 500',
  number(/^\d+(\.\d+)?$/, 2 ** 31 - 1),
)

function number(form: RegExp, largest: number) {
  return (given: unknown) =>
    form.test(String(given)) && Number(given) <= largest ? Number(given) : undefined
}

const UNITS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

/** A duration such as `15m`; it becomes seconds. */
export const DURATION = kind('a number and a unit (s, m, h or d), for instance 15m', (given) => {
  const [, count, unit = ''] = /^([1-9]\d{0,8})(.)$/.exec(String(given)) ?? []
  return Number(count) * (UNITS.get(unit) ?? Number.NaN) || undefined
})

/**
 * A login such as `mia:sourdough`. The first colon separates: the password can hold others. An error does not
 * repeat it.
 */
const LOGIN = kind(
  'a name, a colon and a password, for instance me:secret',
  (given): Credentials | undefined => {
    const [, email, password] = (typeof given === 'string' && /^([^:]+):(.+)$/s.exec(given)) || []
    return email === undefined || password === undefined ? undefined : { email, password }
  },
)

export const LOGINS = { ...list(LOGIN), nargs: 1 }

/** A request that needs no token, such as `POST /users`, or the word for all of them. */
const ALLOWED: Kind<string> = {
  read: (given, name) => {
    const text = TEXT.read(given, name)
    if (text === ALL) return text
    try {
      readAllowRule(text)
      return text
    } catch (error) {
      throw new UsageError(`${name}: ${errorMessage(error)}`)
    }
  },
}

export const ALLOWED_REQUESTS = { ...list(ALLOWED), nargs: 1 }

/** Several values of a kind. */
export function list<Value>({ read }: Kind<Value>): Kind<Value[]> {
  return { type: 'array', read: (given, name) => [given].flat().map((value) => read(value, name)) }
}
