import { isHash } from '../auth/hash-pattern'
import { type Field, fieldsOf, type PersonFields, type User } from '../auth/person-fields'
import { badRequest, HttpError } from '../errors'
import { holdsPassword } from '../labels'
import type { PeopleIndex } from './people-index'

/** What a form calls a password that is typed twice. */
const REPEATED = /confirm|repeat|again/

/** Who signs up, as the body says. */
interface NewUser {
  /** All of the body but for the password that was typed twice. */
  readonly record: User
  /** All names, and those that nobody else may have in any way. */
  readonly names: readonly string[]
  readonly ownNames: readonly string[]
  readonly password: Field
}

/**
 * Reads the body of a sign-up.
 *
 * @param body an object
 * @throws HttpError 400 where it has no name or no password, or a hash in the place of one
 */
export function readNewUser(body: User, fields: PersonFields): NewUser {
  const names = fields.namesOf(body)
  const name = fields.passwordFieldOf(body)
  const password = fieldsOf(body).find((field) => field.name === name && fields.isPassword(field.label))
  if (password === undefined || names.length === 0)
    throw badRequest(
      'Send a name and a password to log in with, such as "email" and "password", as texts: the key login-fields names ' +
        'other fields.',
    )
  if (isHash(password.text)) throw badRequest('The password must not be the hash of one.')
  return {
    record: withoutRepeated(body, password, fields),
    names: names.map(({ text }) => text),
    ownNames: ownNamesOf(names, fields).map(({ text }) => text),
    password,
  }
}

/** The names that nobody else may have: what is only a name, people share, so it counts where there is nothing better. */
export function ownNamesOf(names: readonly Field[], fields: PersonFields): readonly Field[] {
  const deciding = fields.decidingOf(names)
  return deciding.length > 0 ? deciding : names
}

/** A body without the password that was typed twice, in fields that say so. */
export function withoutRepeated(body: User, password: Field, fields: PersonFields): User {
  const label = password.label.replace(/\d$/, '')
  const repeated = fieldsOf(body).filter(
    (field) =>
      field.name !== password.name &&
      field.text === password.text &&
      (field.label.includes(label) || holdsPassword(field.name) || REPEATED.test(field.label)) &&
      !fields.isName(field.label),
  )
  const names = new Set(repeated.map(({ name }) => name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

/**
 * Refuses a name that is somebody's, by whatever label; two may share what is only a name beside others of each.
 *
 * @throws HttpError
 */
export function refuseTaken(
  { names, ownNames }: NewUser,
  people: PeopleIndex,
  fields: PersonFields,
  status: number,
): void {
  const isOwnOf = (user: User, name: string) =>
    ownNamesOf(fields.namesOf(user), fields).some(({ text }) => text === name)
  const isTaken = names.some((name) =>
    people.named([name]).some((user) => ownNames.includes(name) || isOwnOf(user, name)),
  )
  if (isTaken)
    throw new HttpError({
      status,
      message: 'Somebody has signed up with this name already: log in instead.',
    })
}
