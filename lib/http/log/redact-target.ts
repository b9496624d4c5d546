import { isSecretName } from './secret-names'

const REDACTED = '***'

const ENCODED = /%([0-9a-f]{2})/gi

/**
 * A request target without secrets. A path or a query that mentions a secret or holds a user of a URL is left
 * out; of one that holds a JWT, that is. The time is proportional to the length.
 *
 * @param target as it came in, percent-encoded
 */
export function redactTarget(target: string): string {
  const [path = '', ...query] = target.split('?')
  return query.length === 0 ? redact(path) : `${redact(path)}?${redact(query.join('?'))}`
}

function redact(sent: string): string {
  const text = decode(sent)
  // What is still encoded when it has been decoded once may hide anything.
  const isEncoded = text.search(ENCODED) >= 0
  const mayHaveUser = text.split('//').slice(1).join('').includes('@')
  const namesSecret = /[=:]/.test(text) && isSecretName(text)
  if (isEncoded || mayHaveUser || namesSecret) return REDACTED
  const shown = sent.replace(/[\w.-]+/g, withoutJwt)
  return decode(shown).replace(/[\w.-]+/g, withoutJwt) === decode(shown) ? shown : REDACTED
}

/** A JWT begins with `{"` in base64url, and has two dots (RFC 7519 section 3). */
function withoutJwt(word: string): string {
  const start = word.indexOf('eyJ')
  return start >= 0 && word.slice(start).split('.').length > 2 ? word.slice(0, start) + REDACTED : word
}

/** Unlike `decodeURIComponent`, it accepts invalid UTF-8: the names of secrets are ASCII. */
function decode(text: string): string {
  return text.replace(ENCODED, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
