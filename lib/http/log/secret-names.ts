/** Parts of names that mean a secret in any position: in `dbPassword`, `access_token` or `clientsecret`. */
const SECRET_PARTS = new RegExp(
  [
    'passw|passphrase|passcode|passkey|pwd|secret|token|credential|apikey|session_?id',
    '(?:api|access|private|signing)_key|hash(?:_|$)',
  ].join('|'),
)

/** Names of secrets that are parts of harmless words as well: of compass, spin, author. */
const SECRET_WORDS = new Set(
  [
    'pass userpass dbpass mypass pw pin otp auth authorization jwt bearer',
    'sid sig signature session cookie code key',
  ].flatMap((words) => words.split(' ')),
)

/**
 * Whether a name means a secret, or a text mentions such a name: the one list for all that is logged.
 */
export function isSecretName(text: string): boolean {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(words.join('_'))
}
