import type { IncomingMessage } from 'node:http'
import { possibleTokens } from './access-token'
import { tokensIn } from './token-places'
import type { VerifiedTokens } from './verified-tokens'

/** Where a request holds a valid token that is not read there, as a clause for the server's log. */
export function unreadToken(request: IncomingMessage, tokens: VerifiedTokens): string | undefined {
  const isValid = (sent: string) => tokens.read(sent).claims !== undefined
  const inHeader = (name: string) => possibleTokens(tokensIn({ name, header: name, isBare: true }, request))
  const headers = Object.keys(request.headers).filter((name) => name !== 'cookie')
  const valid = possibleTokens(headers.flatMap(inHeader)).find(isValid)
  const header = valid && headers.find((name) => inHeader(name).includes(valid))
  if (header !== undefined) return `--token-in ${header} would read the token in that header`
  const query = new URLSearchParams(request.url?.split('?')[1])
  return possibleTokens(query.values()).some(isValid) ? 'a token in the query is not read' : undefined
}
