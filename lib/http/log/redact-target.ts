import { isSecretName } from './secret-names'

/** What is printed in the place of what may be a secret. */
export const REDACTED = '***'

const ENCODED = /%([0-9a-f]{2})/gi

/** Characters of a part of a path that a reason shows. */
const MOST_SHOWN = 100

/** Characters of a `code` that is shown: a country's, or one of a lesson, and not one that stands for a login. */
const LONGEST_CODE = 8

/**
 * A request target without secrets. A path is left out if it mentions a secret, or holds a user of a URL or a part of a
 * JWT; of a query each value that does, or whose name means a secret. The time is proportional to the length.
 *
 * @param target as it came in, percent-encoded
 */
export function redactTarget(target: string): string {
  const [path = '', ...query] = target.split('?')
  const shown = holdsSecret(path) ? REDACTED : path
  return query.length === 0 ? shown : `${shown}?${redactQuery(query.join('?'))}`
}

/** A part of a path as it was sent, as far as a reason shows it. */
export function shortened(part = ''): string {
  return part.slice(0, MOST_SHOWN)
}

/** Whether the log may show a name from a query: it is decoded, so that it could hold anything. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}_.,:$-]{1,100}$/u.test(name) && !holdsSecret(name)
}

function redactQuery(query: string): string {
  let isAfterSecret = false
  const parameters = query.split('&').map((parameter) => {
    // A secret may hold an ampersand that is not encoded.
    const shown = isAfterSecret && !parameter.includes('=') ? REDACTED : redactParameter(parameter)
    isAfterSecret = shown !== parameter
    return shown
  })
  return parameters.join('&')
}

function redactParameter(sent: string): string {
  const [name = '', ...rest] = sent.split('=')
  if (holdsSecret(name)) return REDACTED
  const value = rest.join('=')
  const isSecret = holdsSecret(value) || (value !== '' && isSecretName(decode(name)) && !isCode(name, value))
  return isSecret ? `${name}=${REDACTED}` : sent
}

/** Whether a name means a secret only because of the word `code`, and its value is short. */
function isCode(name: string, value: string): boolean {
  return value.length <= LONGEST_CODE && !isSecretName(decode(name).replace(/code/gi, ''))
}

/**
 * Whether a text mentions a secret, or holds a user of a URL or a part of a JWT.
 *
 * @param sent perhaps percent-encoded
 */
export function holdsSecret(sent: string): boolean {
  const text = decode(sent)
  // What is still encoded when it has been decoded once may hide anything.
  const isEncoded = text.search(ENCODED) >= 0
  const mayHaveUser = text.split('//').slice(1).join('').includes('@')
  const namesSecret = /[=:]/.test(text) && isSecretName(text)
  // No shorter word holds a field.
  const words = text.match(/[\w-]{8,}/g) ?? []
  return isEncoded || mayHaveUser || namesSecret || words.some(isPartOfJwt)
}

/** Whether a word is an object with a field, in base64url: the first two parts of a JWT are (RFC 7519 section 3). */
function isPartOfJwt(word: string): boolean {
  return /^\s*\{\s*"/.test(Buffer.from(word, 'base64url').toString('latin1'))
}

/** Unlike `decodeURIComponent`, it accepts invalid UTF-8: the names of secrets are ASCII. */
function decode(text: string): string {
  return text.replace(ENCODED, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
