import { isHash } from '../auth/hash-pattern'
import { type Field, fieldsOf, fieldText, type PersonFields, type User } from '../auth/person-fields'
import type { Problem } from '../json-server/record-refusal'
import { holdsPassword } from '../labels'
import { valueAt } from '../value-at'
import type { AccountSettings } from './account-settings'
import type { IndexOf } from './people-index'

/** What a form calls a password that is typed twice. */
const REPEATED = /confirm|repeat|again/

/**
 * Reads the body of a sign-up.
 *
 * @param body an object
 * @returns the new user: all of the body but for the password that was typed twice
 * @throws HttpError 400 where it has no name or no password, or a hash in the place of one
 */
export function readNewUser(
  body: User,
  { fields, personRefusal }: Pick<AccountSettings, 'fields' | 'personRefusal'>,
): User {
  const names = fields.namesOf(body)
  const name = fields.passwordFieldOf(body)
  const password = fieldsOf(body).find((field) => field.name === name && fields.isPassword(field.label))
  if (password === undefined || names.length === 0) {
    const missing = [
      ...(names.length === 0 ? [fields.missingName(body)] : []),
      ...(password === undefined ? [fields.missingPassword(body)] : []),
    ]
    throw personRefusal.refuse(
      missing.map((field) => ({ field, message: `${field} is required` })),
      {
        status: 400,
        message:
          'Send a name and a password to log in with, such as "email" and "password", as texts: the key login-fields ' +
          'names other fields.',
      },
    )
  }
  if (isHash(password.text))
    throw personRefusal.refuse(
      [{ field: password.name, message: `${password.name} must not be the hash of a password` }],
      { status: 400, message: 'The password must not be the hash of one.' },
    )
  return withoutRepeated(body, password, fields)
}

function fieldTexts(some: readonly Field[]): readonly string[] {
  return some.map(({ text }) => text)
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

interface TakenOptions {
  fields: PersonFields
  indexOf: IndexOf
  /** The person before a change, whose names are its own. Default: nobody */
  before?: User
}

/**
 * The fields of a person with a name that is somebody else's, by whatever label; two may share what is only a name beside
 * others of each.
 *
 * @param others lists of people, which are looked at only where there is a new name
 */
export function takenNames(
  person: User,
  others: readonly (readonly unknown[])[],
  { fields, indexOf, before = {} }: TakenOptions,
): Problem[] {
  const known = fieldTexts(fields.namesOf(before))
  const names = fields.namesOf(person)
  const ownNames = fields.ownNamesAmong(names)
  // The person before the change has none of these.
  const added = fieldTexts(names).filter((name) => !known.includes(name))
  const taken = added.filter((name) =>
    others
      .map(indexOf)
      .some((index) => (ownNames.includes(name) ? index.isName(name) : index.isOwnName(name))),
  )
  if (taken.length === 0) return []
  const paths = fields.namePathsOf(person).filter((path) => taken.includes(fieldText(valueAt(person, path))))
  return paths.map((path) => path.join('.')).map((field) => ({ field, message: `${field} is taken already` }))
}
