import type { RequestListener, ServerResponse } from 'node:http'
import { sendJson } from '../send-json'

/**
 * The path and the query in a request target (RFC 9112 section 3.2), without the fragment: Express would take
 * the rest of `//a@b#` for a host without a path.
 *
 * @param sent in origin form, in absolute form or `*`
 * @returns undefined when it has none of these forms
 */
function toOriginForm(sent: string): string | undefined {
  const [target = ''] = sent.split('#', 1)
  if (target.startsWith('/') || target === '*') return target
  const [address] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  if (address === undefined || !URL.canParse(address)) return undefined
  return target.slice(address.length).replace(/^(?!\/)/, '/')
}

/**
 * Refuses malformed requests that Node accepts: HTTP/1.1 without a Host header (RFC 9112 section 3.2), and a
 * target that is neither a path nor an HTTP address, to which Express itself would respond, in HTML and
 * before every middleware. Any other target becomes one that Express can route.
 */
export function withRoutableTarget(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { headers, httpVersion, url = '' } = request
    const path = toOriginForm(url)
    if (headers.host === undefined && httpVersion !== '1.0')
      refuse(response, 'The request has no Host header.')
    else if (path === undefined) refuse(response, 'The address of the request is not valid.')
    else {
      request.url = path
      handler(request, response)
    }
  }
}

function refuse(response: ServerResponse, error: string): void {
  response.setHeader('Connection', 'close')
  response.statusCode = 400
  sendJson(response, { error })
}
