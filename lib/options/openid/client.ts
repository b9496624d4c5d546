import type { HttpRequest } from '../../http/handler'
import { parametersOf } from './authorization'

/** The client that asks: in the header, or in the form (RFC 6749 section 2.3.1); empty where it does not say who it is. */
export function clientOf(request: HttpRequest): string {
  return inHeader(request)?.name ?? parametersOf(request.body)('client_id')
}

/** What it says to be its secret; empty where it says none. */
export function secretOf(request: HttpRequest): string {
  return inHeader(request)?.secret ?? parametersOf(request.body)('client_secret')
}

/** The name and the secret in the header, each of which is encoded as in a form. */
function inHeader({ headers }: HttpRequest): { name: string; secret: string } | undefined {
  const [, encoded] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const end = text.indexOf(':')
  const [name, secret] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
  return { name: decoded(name), secret: decoded(secret) }
}

function decoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? ''
}
