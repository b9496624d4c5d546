import { statSync } from 'node:fs'
import path from 'node:path'
import { ALL, ALLOW_FORM, isAllowRule } from '../../auth/allow-rules'
import type { Credentials } from '../../auth/credentials'

/** A kind of values: how they are written, and what they become. */
export interface Kind<Value> {
  /** Default: `string`. An array takes all words that follow, and can be given several times. */
  type?: 'string' | 'boolean' | 'array'
  /** How many words each use of an array takes. */
  nargs?: number
  /** What a value must be, in an error. */
  expected?: string
  /** Whether an error does not repeat a value, because it may hold a password. */
  isSecret?: true
  /** Makes a value from each one that was given; undefined for what cannot be used. */
  read: (given: unknown) => Value | undefined
}

/** Turns something on. */
export const ON: Kind<boolean> = { type: 'boolean', read: (given) => String(given) === 'true' }

/** Turns something off that is on by default. */
export const OFF: Kind<false> = {
  type: 'boolean',
  read: (given) => (String(given) === 'true' ? false : undefined),
}

/** Only a configuration file can hold something else. */
export const TEXT: Kind<string> = {
  expected: 'a string',
  read: (given) => (typeof given === 'string' || typeof given === 'number' ? String(given) : undefined),
}

export const FOLDER: Kind<string> = {
  expected: 'a folder that exists',
  read: (given) =>
    statSync(String(given), { throwIfNoEntry: false })?.isDirectory() ? String(given) : undefined,
}

/** A module can be written as for `require`: also without an extension, or as the folder of a package. */
export const FILE: Kind<string> = {
  expected: 'a file that exists',
  read: (given) => {
    const file = String(given)
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === false) return file
    try {
      return path.relative('', require.resolve(path.resolve(file)))
    } catch {
      return undefined
    }
  },
}

export const PORT: Kind<number> = {
  expected: 'an integer from 0 to 65535, for instance 3000',
  read: number(/^\d+$/, 65_535),
}

export const MILLISECONDS: Kind<number> = {
  expected: 'a number of milliseconds, for instance 500',
  // At most the longest time of Node's timers.
  read: number(/^\d+(\.\d+)?$/, 2 ** 31 - 1),
}

function number(form: RegExp, largest: number) {
  return (given: unknown) =>
    form.test(String(given)) && Number(given) <= largest ? Number(given) : undefined
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A duration such as `15m`; it becomes seconds. */
export const DURATION: Kind<number> = {
  expected: 'a number and a unit (s, m, h or d), for instance 15m',
  read: (given) => {
    const [, count, unit = ''] = /^([1-9]\d{0,8})(.)$/.exec(String(given)) ?? []
    return Number(count) * (SECONDS[unit] ?? Number.NaN) || undefined
  },
}

/** A login such as `mia:sourdough`. The first colon separates: the password can hold others. */
export const LOGIN = {
  type: 'array',
  nargs: 1,
  expected: 'a name, a colon and a password, for instance me:secret',
  isSecret: true,
  read: (given: unknown): Credentials | undefined => {
    const [, email, password] = /^([^:]+):(.+)$/s.exec(String(given)) ?? []
    return email === undefined || password === undefined ? undefined : { email, password }
  },
} as const

/** A request that needs no token, such as `POST /users`, or the word for all of them. */
export const REQUEST = {
  type: 'array',
  nargs: 1,
  expected: ALLOW_FORM,
  read: (given: unknown): string | undefined => {
    const text = String(given)
    return text === ALL || isAllowRule(text) ? text : undefined
  },
} as const
