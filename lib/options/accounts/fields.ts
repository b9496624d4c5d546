import type { Field } from '../../auth/user-fields'
import { isPasswordName, isSecretName, oneWord } from '../../http/log/secret-names'
import { isRecord } from '../../is-record'

/** The fields of a login's body, which may stand in one object that has a name, such as `{"user": {...}}`. */
export function unwrapped(body: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {}
  const [only, ...others] = Object.values(body)
  return isRecord(only) && others.length === 0 ? only : body
}

/** Fields that forms send beside who somebody is: people can share their values. */
const SHARED_NAMES = new Set(
  'role roles status type permissions granttype clientid scope csrf csrftoken remember rememberme'.split(' '),
)

/** What stands in the place of a password where a body has none: a code that was sent by mail or as a message. */
const CODE =
  /^(?:code|(?:verification|confirmation|login|auth|access|onetime|sms|email|mfa|otp)code|onetimepassword)$/

/** A password that is typed twice. */
const REPEATED = /confirm|match|repeat|again|retype|reenter|verif|wiederhol|repet|^re(?=p)|^c(?=p)|2$/

/** Whether a name means a password that is typed twice, to be compared in the form. */
export function isRepeatedPassword(name: string): boolean {
  const word = oneWord(name)
  const isPassword = /^(?:confirm|confirmation)$|pass|pwd|senha|contrase|clave|kennwort/.test(word)
  return REPEATED.test(word) && !isPasswordName(name) && isPassword
}

/** The codes in a body. */
export function codesIn(fields: readonly Field[]): Field[] {
  return fields.filter(([name]) => CODE.test(oneWord(name)))
}

/** The passwords in a body: fields of that meaning or, where there are none, codes. */
export function passwordsIn(fields: readonly Field[]): Field[] {
  const passwords = fields.filter(([name]) => isPasswordName(name))
  return passwords.length > 0 ? passwords : codesIn(fields)
}

/** The fields of a body that may say who somebody is. */
export function identitiesIn(fields: readonly Field[]): Field[] {
  const passwords = passwordsIn(fields)
  return fields.filter(
    (field) =>
      !passwords.includes(field) &&
      !SHARED_NAMES.has(oneWord(field[0])) &&
      !isRepeatedPassword(field[0]) &&
      (!isSecretName(field[0]) || CODE.test(oneWord(field[0]))),
  )
}
