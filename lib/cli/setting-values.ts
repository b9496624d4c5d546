import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Credentials } from '../auth/credentials'

/** A command line or a configuration that cannot be used. The message is one sentence for the person who wrote it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A kind of values: how they are written, and what they become. */
export interface Kind<Value> {
  /** Default: `string`. */
  type?: 'boolean' | 'array'
  /** How many words belong to each use of an array. Default: all that follow. */
  nargs?: number
  /**
   * Makes the value from what was given; undefined where that says nothing.
   *
   * @param name the flag as it was written, for an error
   * @throws UsageError when it cannot be used
   */
  read: (given: unknown, name: string) => Value
}

/** Turns something on. */
export const ON: Kind<boolean> = { type: 'boolean', read: isOn }

/** Turns something off that is on by default. */
export const OFF: Kind<false | undefined> = {
  type: 'boolean',
  read: (given) => (isOn(given) ? false : undefined),
}

function isOn(given: unknown): boolean {
  return String(given) === 'true'
}

export const TEXT: Kind<string> = { read: text }

/** Only a configuration file can hold something else. */
function text(given: unknown, name: string): string {
  if (typeof given === 'string' || typeof given === 'number') return String(given)
  throw new UsageError(`${name} must be a string.`)
}

export const PORT = number(/^\d+$/, 65_535, 'an integer from 0 to 65535, for instance 3000')

/** At most the longest time of Node's timers. */
export const MILLISECONDS = number(/^\d+(\.\d+)?$/, 2 ** 31 - 1, 'a number of milliseconds, for instance 500')

function number(form: RegExp, largest: number, expected: string): Kind<number> {
  return {
    read: (given, name) => {
      if (form.test(String(given)) && Number(given) <= largest) return Number(given)
      throw new UsageError(`${name} must be ${expected}.`)
    },
  }
}

const UNITS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

/** A duration such as `15m`; it becomes seconds. */
export const DURATION: Kind<number> = {
  read: (given, name) => {
    const [, count, unit = ''] = /^([1-9]\d{0,8})(.)$/.exec(String(given)) ?? []
    const seconds = Number(count) * (UNITS.get(unit) ?? Number.NaN)
    if (seconds > 0) return seconds
    throw new UsageError(`${name} must be a number and a unit (s, m, h or d), for instance 15m.`)
  },
}

/** Logins such as `mia:sourdough`. The first colon separates: the password can hold others. An error does not repeat it. */
export const LOGINS: Kind<Credentials[]> = {
  type: 'array',
  nargs: 1,
  read: (given, name) =>
    [given].flat().map((login) => {
      const [, email, password] = (typeof login === 'string' && /^([^:]+):(.+)$/s.exec(login)) || []
      if (email !== undefined && password !== undefined) return { email, password }
      throw new UsageError(`${name} must be a name, a colon and a password, for instance me:secret.`)
    }),
}

/** The path of a file or folder that must exist. */
export function existing(what: string): Kind<string> {
  return {
    read: (given, name) => {
      const file = text(given, name)
      if (!existsSync(file)) throw missing(what, file, name)
      return file
    },
  }
}

/** Paths of modules. */
export const MIDDLEWARES: Kind<string[]> = {
  type: 'array',
  read: (given, name) => [given].flat().map((file) => moduleFile('middleware', text(file, name), name)),
}

/**
 * Finds the file of a module, whose path can be written as for `require`: without an extension, or as the folder of a package.
 *
 * @throws UsageError when it does not exist
 */
export function moduleFile(what: string, file: string, name: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file
  try {
    return path.relative('', require.resolve(path.resolve(file)))
  } catch {
    throw missing(what, file, name)
  }
}

function missing(what: string, file: string, name: string): UsageError {
  return new UsageError(`The ${what} ${file} does not exist: check ${name}.`)
}
