/** What people call a password, in the languages of their forms, as one word. */
const PASSWORDS = new Set(
  [
    'password pass passwd passw passcode passphrase pwd pswd psw pw userpass dbpass mypass secret otp totp pin',
    'senha contraseña contrasena clave motdepasse mdp passwort kennwort wachtwoord parola haslo hasło heslo lozinka',
    'sifre şifre salasana пароль 密码 密碼 パスワード 비밀번호',
  ].flatMap((words) => words.split(' ')),
)

/** Words that mean a secret anywhere in a name: in `dbPassword`, `access_token` or `clientsecret`. */
const SECRET_PARTS = new RegExp(
  [
    'passw|passphrase|passcode|passkey|pwd|contrase|mot_?de_?passe|secret|token|credential|apikey|session_?id',
    '(?:api|access|private|signing)_key|hash(?:_|$)',
  ].join('|'),
)

/** Words that mean a secret, but are also parts of harmless words: compass, spin, author, basalt. */
const SECRET_WORDS = new Set([
  ...PASSWORDS,
  ...'auth authorization jwt bearer sid sig signature session cookie code key salt cvv cvc csc'.split(' '),
])

/** Names that say something about a secret, or have such a word in another meaning: `token_type`, `zip_code`. */
const HARMLESS = new RegExp(
  [
    '(?:token|auth)s?_?(?:type|kind|count|limit|method|provider)s?',
    '(?:zip|postal|post|country|area|region|state|city|district|dialing|calling|phone)_?code',
    '(?:currency|language|lang|locale|color|colour|status|error|exit|tax|sort|bank|branch)_?code',
    '(?:product|item|bar|qr|promo|discount|airport|airline|course|class|room|department|employee|student)_?code',
  ].join('|'),
  'g',
)

/**
 * Whether a name means a secret, or a text mentions such a name: the one list for everything that is logged, kept in
 * a journal, or said of a user who logs in.
 */
export function isSecretName(text: string): boolean {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const joined = words.join('_').replace(HARMLESS, '')
  // Somebody may have typed `paSSword`.
  const lowered = text.toLowerCase().replace(HARMLESS, '')
  return (
    joined.split('_').some((word) => SECRET_WORDS.has(word)) ||
    SECRET_PARTS.test(`${joined} ${lowered}`) ||
    isPasswordName(text)
  )
}

/** Whether a name means a password, in whatever case and with whatever between its words it is written. */
export function isPasswordName(name: string): boolean {
  const word = oneWord(name)
  return PASSWORDS.has(word) || PASSWORDS.has(word.replace(/^(?:user|login|account)/, ''))
}

/** `mot_de_passe`, `motDePasse` and `Mot-de-passe` as one word. */
export function oneWord(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]/g, '')
}
