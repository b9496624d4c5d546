import { type Field, fieldsOf, isHash, type PersonFields, type User } from '../../auth/person-fields'
import { badRequest, HttpError } from '../../errors'
import { isRecord } from '../../is-record'
import { passwordsIn } from './identify'

/** What a form calls a password that is typed twice. */
const REPEATED = /confirm|repeat|again/

/** Who signs up, as the body says. */
export interface NewUser {
  /** All of the body but for the password that was typed twice. */
  readonly record: User
  /** The names that nobody else may have. */
  readonly names: readonly string[]
  readonly password: Field
}

/**
 * Reads the body of a sign-up.
 *
 * @param body an object
 * @throws HttpError 400 where it has no name or no password, or a hash in the place of one
 */
export function readNewUser(body: User, fields: PersonFields): NewUser {
  const given = fields.namesOf(body)
  const deciding = fields.decidingOf(given)
  // People share what is only a name, so it counts where there is nothing better.
  const names = deciding.length > 0 ? deciding : given
  const labelled = fieldsOf(body).filter(({ label }) => fields.isPassword(label))
  const [password] = labelled.length > 0 ? passwordsIn(body, [], fields) : []
  if (password === undefined || names.length === 0)
    throw badRequest(
      'Send a name and a password to log in with, such as "email" and "password", as texts: the key login-fields names ' +
        'other fields.',
    )
  if (isHash(password.text)) throw badRequest('The password must not be the hash of one.')
  const isRepeated = (name: string) =>
    fieldsOf(body).some(
      (field) =>
        field.name === name &&
        field.name !== password.name &&
        field.text === password.text &&
        (field.label.includes(password.label) || REPEATED.test(field.label)) &&
        !given.some((own) => own.name === name),
    )
  return {
    record: Object.fromEntries(Object.entries(body).filter(([name]) => !isRepeated(name))),
    names: names.map(({ text }) => text),
    password,
  }
}

/** @throws HttpError where somebody has one of the names, by whatever label */
export function refuseTaken(
  { names }: NewUser,
  people: readonly unknown[],
  fields: PersonFields,
  status: number,
): void {
  const isTaken = people
    .filter(isRecord)
    .some((user) => fields.namesOf(user).some(({ text }) => names.includes(text)))
  if (isTaken)
    throw new HttpError({
      status,
      message: 'Somebody has signed up with this name already: log in instead.',
    })
}

/** How many users are looked at for a hash: 100,000 would take 0.1 s at each sign-up. */
const MOST_USERS = 1000

/** Whether one of the users has a hash in the place of a password. */
export function haveHashes(users: readonly unknown[], fields: PersonFields): boolean {
  const some = users.slice(0, MOST_USERS).filter(isRecord)
  return some.some((user) => isHash(fields.passwordOf(user)))
}
