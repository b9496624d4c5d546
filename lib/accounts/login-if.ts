import type { LoginCondition } from '../auth/user-of-token'
import { OptionError } from '../errors'
import { isRecord } from '../is-record'

/** The values that records must have who log in, by their fields: a dot reaches into an object, and a missing one is null. */
export type LoginIf = Readonly<Record<string, unknown>>

/**
 * Reads which records may log in.
 *
 * @throws OptionError for anything but an object with a field
 */
export function readLoginIf(given: LoginIf | undefined): LoginCondition[] {
  if (given === undefined) return []
  if (!isRecord(given) || Object.keys(given).length === 0)
    throw new OptionError(
      'login-if must be fields with the values that they must have, for instance {"active": true, "deletedAt": null}.',
    )
  return Object.entries(given).map(([name, value]) => ({ path: name.split('.'), value }))
}
