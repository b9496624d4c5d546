/** Words that mean a secret anywhere in a name: in `dbPassword`, `access_token` or `clientsecret`. */
const SECRET_PARTS = new RegExp(
  [
    'passw|passphrase|passcode|passkey|pwd|secret|token|credential|apikey|session_?id',
    '(?:api|access|private|signing)_key|hash(?:_|$)',
  ].join('|'),
)

/** Words that mean a secret, but are also parts of harmless words: compass, spin, author. */
const SECRET_WORDS = new Set(
  [
    'pass userpass dbpass mypass pw pin otp auth authorization jwt bearer',
    'sid sig signature session cookie code key',
  ].flatMap((words) => words.split(' ')),
)

/**
 * Whether a name means a secret, or a text mentions such a name: the one list for everything that is logged.
 */
export function isSecretName(text: string): boolean {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const joined = words.join('_')
  // Somebody may have typed `paSSword`.
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(`${joined} ${text.toLowerCase()}`)
}
