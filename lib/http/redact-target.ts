import { isSecretName } from '../secret-names'

const REDACTED = '***'

/**
 * Blanks the secrets in a request target: values of parameters named like a secret, the user and the password of an
 * absolute address, and all that looks like a JWT. Takes time in proportion to the length.
 *
 * @param target as it came in, percent-encoded
 */
export function redactTarget(target: string): string {
  return target
    .split(/([?&;#])/)
    .map(redactField)
    .join('')
    .replace(/\/\/[^/?#]*@/g, `//${REDACTED}@`)
    .replace(/[\w.-]+/g, redactJwt)
}

function redactField(field: string): string {
  const [name, value] = splitField(field)
  if (value === undefined) return field
  return isSecretName(decode(name)) || holdsSecret(decode(value)) ? `${name}=${REDACTED}` : field
}

/** Whether a value is an address or JSON with a secret in it, for instance the address to return to after a login. */
function holdsSecret(value: string): boolean {
  if (/\/\/[^/?#]*@/.test(value)) return true
  return value.split(/[?&;#{,]/).some((field) => {
    const end = field.search(/[=:]/)
    return end >= 0 && isSecretName(field.slice(0, end))
  })
}

/** The name and the value on both sides of the first equals sign. */
function splitField(field: string): [name: string, value?: string] {
  const end = field.indexOf('=')
  return end < 0 ? [field] : [field.slice(0, end), field.slice(end + 1)]
}

/** Unlike `decodeURIComponent`, it accepts invalid UTF-8: the names of secrets are ASCII. */
function decode(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Every JWT begins with `{"` in base64url and has two dots (RFC 7519 section 3). */
function redactJwt(word: string): string {
  const start = word.indexOf('eyJ')
  return start >= 0 && word.slice(start).split('.').length > 2 ? word.slice(0, start) + REDACTED : word
}
