import type { IncomingMessage } from 'node:http'
import { looksLikeToken } from './access-token'
import { tokensIn } from './token-places'
import type { VerifiedTokens } from './verified-tokens'

/** Where a request holds a valid token that is not read there, as a clause for the server's log. */
export function unreadToken(request: IncomingMessage, tokens: VerifiedTokens): string | undefined {
  const isValid = (sent: unknown) => looksLikeToken(sent) && tokens.read(sent).claims !== undefined
  const header = Object.keys(request.headers).find(
    (name) => name !== 'cookie' && tokensIn({ name, header: name, isBare: true }, request).some(isValid),
  )
  if (header !== undefined) return `--token-in ${header} would read the token in that header`
  const query = new URLSearchParams(request.url?.split('?')[1])
  return [...query.values()].some(isValid) ? 'a token in the query is not read' : undefined
}
