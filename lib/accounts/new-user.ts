import { isHash } from '../auth/hash-pattern'
import { type Field, fieldsOf, fieldText, lastOf, type PersonFields, type User } from '../auth/person-fields'
import type { HttpError } from '../errors'
import type { Problem } from '../json-server/record-refusal'
import { holdsPassword, labelOf } from '../labels'
import { valueAt } from '../value-at'
import type { AccountSettings } from './account-settings'
import type { IndexOf } from './people-index'
import type { PersonRefusal } from './refusals'

/** What a form calls a password that is typed twice. */
const REPEATED = /^(?:confirm|repeat|retype|verify)|(?:confirm(?:ation)?|repeat|again|verify)$/

/**
 * Reads the body of a sign-up.
 *
 * @param body an object
 * @returns the new user: all of the body but for the password that was typed twice
 * @throws HttpError 400 where it has no name or no password, a hash in the place of one, or another where it is repeated
 */
export function readNewUser(
  body: User,
  { fields, personRefusal }: Pick<AccountSettings, 'fields' | 'personRefusal'>,
): User {
  const hasName = fields.namesSomebody(body)
  const password = passwordIn(body, fields)
  const missing = [
    ...(hasName ? [] : [fields.missingName(body)]),
    ...(password === undefined ? [fields.missingPassword(body)] : []),
  ]
  if (password === undefined || missing.length > 0)
    throw refuseFields(personRefusal, missing.map(requiredField), NEEDED)
  if (isHash(password.text))
    throw refuseFields(
      personRefusal,
      [{ field: password.name, message: `${password.name} must not be the hash of a password` }],
      'the password is the hash of one',
    )
  refuseOtherRepeated(body, password, personRefusal)
  return withoutRepeated(body, password, fields)
}

/** What a body has under a label of a password; its name is the path to it. */
export function passwordIn(body: User, fields: PersonFields): Field | undefined {
  const path = fields.passwordPathOf(body) ?? []
  const label = labelOf(lastOf(path))
  const text = fieldText(valueAt(body, path))
  return text !== '' && fields.isPassword(label) ? { name: path.join('.'), label, text } : undefined
}

/** @throws HttpError 400 where a password is not the same where it is typed again */
export function refuseOtherRepeated(body: User, password: Field, personRefusal: PersonRefusal): void {
  const others = Object.entries(body).filter(
    ([field, value]) => isRepeated(field, value) && fieldText(value) !== password.text,
  )
  if (others.length > 0)
    throw refuseFields(
      personRefusal,
      others.map(([field]) => ({ field, message: `${field} is not the same as ${password.name}` })),
      'the password was not typed the same way twice',
    )
}

/** What is wrong with a field that has no name, or no password. */
export function requiredField(field: string): Problem {
  return { field, message: `${field} is required` }
}

/** What the log says where one of both is missing. */
export const NEEDED =
  'somebody needs a name and a password to log in with, as texts: the key login-fields names other fields'

/**
 * The error for fields of somebody that are wrong.
 *
 * @param reason for the log, which says no field that a stranger has named
 */
export function refuseFields(
  { refuse }: PersonRefusal,
  problems: readonly Problem[],
  reason: string,
): HttpError {
  const message = `${problems.map((problem) => problem.message).join('; ')}.`
  return refuse(problems, { status: 400, message, reason })
}

/** Whether a form calls the password so that is typed a second time. */
export function isRepeated(field: string, value: unknown): boolean {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && holdsPassword(field) && REPEATED.test(labelOf(field))
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
