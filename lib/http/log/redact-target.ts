import { isSecretName } from './secret-names'

const REDACTED = '***'

/** The user and the password of an absolute URL. */
const USER_INFO = /\/\/[^/?#]*@/g

const ENCODED = /%([0-9a-f]{2})/gi

/**
 * Blanks the secrets in a request target: parameters that mention a secret in their name or in their value
 * (a URL to return to after a login, for instance), the user and the password of an absolute URL, and
 * everything that looks like a JWT. What is still encoded when it has been decoded once may hide one, and is
 * blanked, too. The time is proportional to the length.
 *
 * @param target as it came in, percent-encoded
 */
export function redactTarget(target: string): string {
  // In most targets, there is no parameter, user or token, and nothing is encoded.
  if (!/[%=:@]|eyJ/.test(target)) return target
  const [path = '', ...query] = target.split('?')
  const fields = query.length === 0 ? [] : [`?${query.join('?').split('&').map(redactField).join('&')}`]
  return redactJwts([redactField(path), ...fields].join('').replace(USER_INFO, `//${REDACTED}@`))
}

/**
 * Blanks everything in a text that looks like a JWT, which begins with `{"` in base64url and has two dots
 * (RFC 7519 section 3). The time is proportional to the length.
 */
function redactJwts(text: string): string {
  if (!text.includes('eyJ')) return text
  return text.replace(/[\w.-]+/g, (word) => {
    const start = word.indexOf('eyJ')
    return start >= 0 && word.slice(start).split('.').length > 2 ? word.slice(0, start) + REDACTED : word
  })
}

/** Blanks the value of a field, or all of it, if it mentions a secret or may hide one. */
function redactField(field: string): string {
  const text = decode(field)
  if (text.search(ENCODED) < 0 && !holdsSecret(field, text)) return field
  const [name = ''] = /^[^=%{]*=/.exec(field) ?? []
  return name + REDACTED
}

/**
 * Whether a field mentions a secret. What is not encoded in it, and is no value, is left to
 * {@link redactTarget}, which blanks less of it.
 *
 * @param text the field, decoded
 */
function holdsSecret(field: string, text: string): boolean {
  const isEncoded = field !== text
  if ((isEncoded || text.includes('=')) && text.search(USER_INFO) >= 0) return true
  if (isEncoded && redactJwts(text) !== text) return true
  return /[=:]/.test(text) && isSecretName(text)
}

/** Unlike `decodeURIComponent`, it accepts invalid UTF-8: the names of secrets are ASCII. */
function decode(text: string): string {
  return text.replace(ENCODED, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
