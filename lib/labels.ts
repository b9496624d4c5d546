/** The name of a field as people compare names: `userName`, `user_name` and `user-name` are `username`. */
export function labelOf(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/[_.-]/g, '')
}

/** What people call a password in the languages of their forms, the clearest first, as labels. */
export const PASSWORDS = [
  'password passwd pwd pass senha contraseña contrasena clave motdepasse mdp passwort kennwort wachtwoord parola',
  'haslo hasło heslo lozinka sifre şifre salasana пароль 密码 密碼 パスワード 비밀번호',
].flatMap((labels) => labels.split(' '))

/** Letters of a label that is no part of other words, as `pass` is of `passport`. */
const CLEAR = 6

const CLEAR_PASSWORDS = PASSWORDS.filter((label) => label.length >= CLEAR)

/** A password as one word of a name, such as that of `db_pass` and `oldpwd`. */
const PASSWORD_WORD = new RegExp(
  `^(?:user|login|account|my|db|old|new)?(?:${PASSWORDS.join('|')})(?:s|\\d+)?$`,
)

/** The words of a name in camel or snake case, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
}

/** Whether the label of a field holds that of a password, as `passwordHash`, `oldPasswords` and `db_pass` do. */
export function holdsPassword(name: string): boolean {
  const label = labelOf(name)
  return (
    CLEAR_PASSWORDS.some((password) => label.includes(password)) ||
    [label, ...wordsOf(name)].some((word) => PASSWORD_WORD.test(word))
  )
}

/** Whether the name of a field or a parameter means a secret, which no log and no journal shows. */
export function isSecretName(name: string): boolean {
  return (
    /token|secret|apikey|authorization|credential/.test(labelOf(name)) ||
    wordsOf(name).some((word) => /^(?:jwt|t?otp|pin|cv[vc]|session|sid|signature)$/.test(word)) ||
    holdsPassword(name)
  )
}
