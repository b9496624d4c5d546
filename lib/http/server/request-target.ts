import type { RequestListener } from 'node:http'

/**
 * The path and the query in a request target (RFC 9112 section 3.2), without the fragment: Express would take
 * the rest of `//a@b#` for a host without a path.
 *
 * @param sent in origin form, in absolute form or `*`
 * @returns undefined when it has none of these forms
 */
export function toOriginForm(sent: string): string | undefined {
  const [target = ''] = sent.split('#', 1)
  if (target.startsWith('/') || target === '*') return target
  const [address] = /^https?:\/\/[^/?#]*/i.exec(target) ?? []
  if (address === undefined || !URL.canParse(address)) return undefined
  return target.slice(address.length).replace(/^(?!\/)/, '/')
}

/**
 * Gives every request a target that Express can route: for any other target, Express itself responds, in HTML
 * and before every middleware. A target without a path gets an invented one; `originalUrl` holds the target
 * as it was sent.
 */
export function withRoutableTarget(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { url = '' } = request
    const path = toOriginForm(url)
    if (path === undefined) Object.assign(request, { originalUrl: url })
    request.url = path ?? `/${encodeURIComponent(url)}`
    handler(request, response)
  }
}
