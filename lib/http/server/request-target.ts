import type { RequestListener } from 'node:http'

/**
 * The path and the query that a request target asks for (RFC 9112 section 3.2). A fragment is no part of it:
 * Express would take the rest of `//a@b#` for a host without a path.
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
 * Gives every request a target that Express can route: to any other, Express itself responds, in HTML and
 * ahead of every middleware. Where the target has no path, one is invented, and the target as it was sent is
 * in `originalUrl`.
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
