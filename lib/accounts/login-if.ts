import { isDeepStrictEqual } from 'node:util'
import type { User } from '../auth/person-fields'
import { OptionError } from '../errors'
import { isRecord } from '../is-record'
import { valueAt } from '../value-at'

/** The values that records must have who log in, by their fields: a dot reaches into an object, and a missing one is null. */
export type LoginIf = Readonly<Record<string, unknown>>

/**
 * Reads which records may log in.
 *
 * @throws OptionError for anything but an object with a field
 */
export function readLoginIf(given: LoginIf | undefined): (user: User) => boolean {
  if (given === undefined) return () => true
  if (!isRecord(given) || Object.keys(given).length === 0)
    throw new OptionError(
      'login-if must be fields with the values that they must have, for instance {"active": true, "deletedAt": null}.',
    )
  const wanted = Object.entries(given).map(([name, value]) => ({ path: name.split('.'), value }))
  return (user) => wanted.every(({ path, value }) => isDeepStrictEqual(valueAt(user, path) ?? null, value))
}
