import type { Field } from '../../auth/user-fields'
import { isSecretName } from '../../http/log/secret-names'

/** Fields that forms send beside who somebody is: people can share their values. */
const SHARED_NAMES = new Set(
  'role roles status type permissions granttype clientid scope csrf csrftoken remember rememberme'.split(' '),
)

/** Words for a password in the languages of forms that people have, without what stands between their words. */
const PASSWORD =
  /^(?:user|login|account)?(?:pass|password|passwd|passw|passcode|passphrase|passwort|kennwort|pwd|pswd|psw|pw|senha|contraseña|contrasena|clave|motdepasse|mdp|wachtwoord|haslo|hasło|parola|sifre|şifre|heslo|lozinka|пароль|密码|パスワード|비밀번호|secret|otp|pin|totp)$/

/** What stands in the place of a password where a body has none: a code that was sent by mail or as a message. */
const CODE =
  /^(?:code|(?:verification|confirmation|login|auth|access|onetime|sms|email|mfa)code|onetimepassword)$/

/** A password that is typed twice. */
const REPEATED = /confirm|repeat|again|retype|reenter|verif|wiederhol|repet|^re(?=p)|^c(?=p)|2$/

/** Whether a name means a password, in whatever case it is written. */
export function isPasswordName(name: string): boolean {
  return PASSWORD.test(joined(name))
}

/** Whether a name means a password that is typed twice, to be compared in the form. */
export function isRepeatedPassword(name: string): boolean {
  const word = joined(name)
  return REPEATED.test(word) && !isPasswordName(name) && /pass|pwd|senha|contrase|clave|kennwort/.test(word)
}

/** The passwords in a body: fields of that meaning or, where there are none, a code. */
export function passwordsIn(fields: readonly Field[]): Field[] {
  const passwords = fields.filter(([name]) => isPasswordName(name))
  return passwords.length > 0 ? passwords : fields.filter(([name]) => CODE.test(joined(name)))
}

/** The fields of a body that may say who somebody is. */
export function identitiesIn(fields: readonly Field[]): Field[] {
  const passwords = passwordsIn(fields)
  return fields.filter(
    (field) =>
      !passwords.includes(field) &&
      !SHARED_NAMES.has(joined(field[0])) &&
      !isRepeatedPassword(field[0]) &&
      (!isSecretName(field[0]) || CODE.test(joined(field[0]))),
  )
}

/** `mot_de_passe`, `motDePasse` and `Mot-de-passe` as one word. */
function joined(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
}
