/** A whole hash of bcrypt: each step of its cost doubles the time that it takes. */
const BCRYPT_HASH = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * What a hash of a password begins with: as bcrypt, Argon2, scrypt, PBKDF2 and the `crypt` of Unix write it (`$2b$10$...`,
 * `$6$...`), as Django and Werkzeug do (`pbkdf2_sha256$...`, `scrypt:32768:8:1$...`), WordPress, phpBB and Drupal (`$wp$...`,
 * `$P$...`, `$S$...`), and LDAP and Spring (`{SSHA}...`, `{bcrypt}...`). A word between dollar signs is none, and what has a
 * space neither: `$ecret$1` is a password.
 */
const HASH = new RegExp(
  [
    String.raw`^\$(?:[1-7]|2[abxy]|g?y|apr1|md5|sha1|wp)\$\S*\s*$`,
    String.raw`^\$[hps]\$\S{20,}\s*$`,
    String.raw`^\$?(?:argon2|bcrypt|pbkdf2|scrypt)[\w:-]*\$\S*\s*$`,
    String.raw`^(?:sha\d+|md5)\$\S*\$\S*\s*$`,
    String.raw`^\{(?:argon2|bcrypt|crypt|pbkdf2|scrypt|s?sha|s?md5)[\w@-]*\}\S*\s*$`,
  ].join('|'),
  'i',
)

/** Whether a text is a hash of any kind, whole or not: it is never a password. */
export function isHash(text: string): boolean {
  return HASH.test(text)
}

/** The cost of a whole hash of bcrypt, or undefined for any other text. */
export function costOfHash(text: string): number | undefined {
  const [, cost] = BCRYPT_HASH.exec(text) ?? []
  return cost === undefined ? undefined : Number(cost)
}

/** Whether a text is a hash with which no password is compared, so that nobody logs in by it. */
export function isOtherHash(text: string): boolean {
  return isHash(text) && !isBcryptHash(text)
}

/** Whether a text is a whole hash of bcrypt, with which passwords are compared. */
function isBcryptHash(text: string): boolean {
  return costOfHash(text) !== undefined
}
