import { isSecretName } from '../../labels'

/** What is printed in the place of what may be a secret. */
export const REDACTED = '***'

/** A JWT, or what begins as one (RFC 7519 section 3): its first part is an object in base64url. */
const JWT = /eyJ[\w-]{8,}(?:\.[\w-]*)*/g

/** Characters of a part of a path that a reason shows. */
const MOST_SHOWN = 100

/** A text without the JWTs in it. */
export function withoutTokens(text: string): string {
  return text.replace(JWT, REDACTED)
}

/**
 * A request target without secrets: JWTs, and the value of each parameter whose name means a secret.
 *
 * @param target as it came in, percent-encoded
 * @param passwords values that are secrets whatever their names are. Default: none.
 */
export function redactTarget(target: string, passwords: readonly string[] = []): string {
  // A part of a path may have a name and a value, too.
  const parts = withoutTokens(target).split(/([/?&;])/)
  return parts.map((part) => redactPart(part, passwords)).join('')
}

function redactPart(part: string, passwords: readonly string[]): string {
  const end = part.indexOf('=')
  const [name, value] = [part.slice(0, Math.max(end, 0)), part.slice(end + 1)]
  const isSecret =
    value !== '' && name !== '' && (isSecretName(decodedText(name)) || passwords.includes(decodedText(value)))
  return isSecret ? `${name}=${REDACTED}` : part
}

/** A name or a value as a form has it. */
function decodedText(part: string): string {
  return new URLSearchParams(`=${part}`).get('') ?? ''
}

/** A part of a path as it was sent, as far as a reason shows it: without secrets. */
export function shortened(part = ''): string {
  return redactTarget(part).slice(0, MOST_SHOWN)
}

/** Whether the log may show a name from a query: it is decoded, so that it could hold anything. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}_.,:$-]{1,100}$/u.test(name) && !holdsSecret(name)
}

/** Whether a text holds a secret. */
export function holdsSecret(text: string): boolean {
  return redactTarget(text) !== text
}
