import path from 'node:path'
import { ACCOUNT_PATH_FORM, isAccountPath } from '../../accounts/account-routes'
import type { Template } from '../../auth/template'
import { isFolder } from '../../files/is-folder'

/** A flag that turns something on. */
export const ON = {
  type: 'boolean',
  expected: 'true or false',
  read: (given: unknown) => (/^(true|false)$/.test(String(given)) ? String(given) === 'true' : undefined),
} as const

/** A flag that turns something off that is on by default. */
export const OFF = {
  type: 'boolean',
  expected: 'true, or be left out',
  read: (given: unknown) => (String(given) === 'true' ? false : undefined),
} as const

/** A flag with a word. Only a configuration file can give something else than a word. */
export const TEXT = {
  expected: 'a string',
  read: (given: unknown) =>
    typeof given === 'string' || typeof given === 'number' ? String(given) : undefined,
} as const

/** A flag with a path, or a method and a path, of those who log in. */
export const PATHS = {
  several: true,
  expected: ACCOUNT_PATH_FORM,
  read: (given: unknown) => (isAccountPath(given) ? given : undefined),
} as const

/** A key with any JSON. Whoever uses it says what is wrong with it. */
export const TEMPLATE = {
  description: 'A template',
  inFileOnly: true,
  read: (given: unknown): Template | undefined => (isJson(given) ? given : undefined),
} as const

/** A flag with a file. A module can be named as for `require`: without an extension, or by its folder. */
export const FILE = {
  isFile: true,
  expected: 'a file that exists',
  read: (given: unknown) => {
    const file = String(given)
    if (isFolder(file) === false) return file
    try {
      return path.relative('', require.resolve(path.resolve(file)))
    } catch {
      return undefined
    }
  },
} as const

/**
 * Makes a reader of numbers.
 *
 * @param form how a number must be written
 * @returns a function that gives the number; undefined for anything else, or more than the largest
 */
export function number(form: RegExp, largest = Number.POSITIVE_INFINITY) {
  return (given: unknown) =>
    form.test(String(given)) && Number(given) <= largest ? Number(given) : undefined
}

/** What a configuration file holds is JSON already. */
function isJson(given: unknown): given is Template {
  return given !== undefined
}
