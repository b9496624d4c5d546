import { isRecord } from '../../is-record'

/** Three parts, of which the last is a signature of HS256: 32 bytes in base64url (RFC 7515 section 3.1). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{43}$/

/** The tokens in a body, whatever their fields are called. */
export function tokensInBody(body: unknown): string[] {
  const texts = isRecord(body) ? Object.values(body) : [body]
  return texts.filter((text): text is string => typeof text === 'string' && TOKEN.test(text))
}

/** Whether a body asks for a refresh (RFC 6749 section 6): it says so, or has a token and does not say what it is. */
export function asksForRefresh(body: unknown): boolean {
  const grant = isRecord(body) ? body.grant_type : undefined
  return grant === undefined ? tokensInBody(body).length > 0 : grant === 'refresh_token'
}
