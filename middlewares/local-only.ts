import { Server, type Socket } from 'node:net'
import type { Request, RequestHandler } from 'express'
import { HttpError, type HttpErrorOptions } from '../lib/errors'
import { isAllowedOrigin, nameOfOrigin, originOfPage } from '../lib/http/allowed-hosts'
import { isLocalHost, isLocalOrigin, isLoopback } from '../lib/http/loopback'
import { isRecord } from '../lib/is-record'

/** Why a request is refused, for the server's log, and what to do about it. */
type ForeignHostProblem = Pick<HttpErrorOptions, 'reason' | 'message'>

/** @param origin the one to be allowed, if it is known */
function orAllow(origin = ''): string {
  return `or start with --allow-host ${nameOfOrigin(origin) ?? 'and its name'} (allowedHosts in createApp).`
}

function foreignHost(host: string): ForeignHostProblem {
  return {
    reason: 'the Host is not localhost',
    message:
      'With --allow all, the server responds only at localhost, *.localhost, 127.0.0.1 and [::1]: use one of ' +
      `these, ${orAllow(`http://${host}`)}`,
  }
}

function foreignPage(origin?: string): ForeignHostProblem {
  return {
    reason: 'the page is not from localhost',
    message:
      'With --allow all, only pages from localhost may use the server: serve the page from ' +
      'http://localhost, for instance with --static and its folder, and do not open it as a file, ' +
      orAllow(origin),
  }
}

const FILE: ForeignHostProblem = {
  ...foreignPage(),
  reason: 'the page seems to be opened as a file: serve its folder with --static',
}

const FOREIGN_LINK: ForeignHostProblem = {
  ...foreignPage(),
  message: `${foreignPage().message} If you have followed a link, type its address instead.`,
}

/**
 * For a server on which no request needs a token: passes on 403 for what a web page of another site sends. As
 * CORS is open, any page that one visits could otherwise read and delete everything; without CORS, a form on
 * it could still change data. Refused are
 *
 * - a `Host` that is not localhost: a page can point its own name at 127.0.0.1 (DNS rebinding). The host in a
 *   target of absolute form is not looked at: only proxies get one.
 * - an `Origin` that is not localhost, such as that of a file (`null`);
 * - whatever a page of another site asks for without an Origin (`Sec-Fetch-Site: cross-site`): an object
 *   element tells it whether a record exists, and the time of a slow filter tells it what a record holds. A
 *   page of localhost asks for pictures on 127.0.0.1 in this way as well: its Referer tells, which a page can
 *   leave out, but not forge. A person may follow a link (`Sec-Fetch-User`) to `/` and to the page that it
 *   redirects to, which take the same time whatever the data. No other path may be linked, because a page
 *   could lead its own window there and time it.
 *
 * Further names can be allowed: of an emulator's host, a bridge in front, or an extension of a browser.
 *
 * All this holds only where the server is bound to a loopback address: who binds another one wants it to be
 * reached from elsewhere, under names that nobody knows here. What counts is what the server is bound to, not
 * the socket's own address: with `0.0.0.0`, a container or a proxy may connect over loopback. A proxy that is
 * in front of a loopback address passes if it sends that as the Host, as it usually does.
 *
 * @param linked the paths to which a link may lead, without a query
 * @param names hosts and origins that are taken for localhost: see `AllowedHosts`
 */
export function localOnly(linked: readonly string[], names: readonly string[] = []): RequestHandler {
  return function localOnlyMiddleware(request, _response, next) {
    const isLocal = isLoopback(boundAddress(request.socket))
    const problem = isLocal ? problemOf(request, linked, names) : undefined
    next(problem && new HttpError({ status: 403, ...problem }))
  }
}

function problemOf(
  request: Request,
  linked: readonly string[],
  names: readonly string[],
): ForeignHostProblem | undefined {
  const isKnown = (origin: string) => isLocalOrigin(origin) || isAllowedOrigin(origin, names)
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  if (!isLocalHost(host) && !isAllowedOrigin(`http://${host}`, names)) return foreignHost(host)
  if (origin === 'null') return FILE
  if (origin !== undefined) return isKnown(origin) ? undefined : foreignPage(origin)
  if (site !== 'cross-site' || isLink(request, linked)) return undefined
  const page = originOfPage(request.headers)
  return page !== undefined && isKnown(page) ? undefined : FOREIGN_LINK
}

/** Whether a person has clicked a link to one of these paths (Fetch Metadata, section 2). */
function isLink({ method, url, headers }: Request, linked: readonly string[]): boolean {
  return (
    method === 'GET' &&
    linked.includes(url) &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-fetch-user'] === '?1'
  )
}

/** The address that the server of a socket is bound to; the address of the socket where that is not known. */
function boundAddress(socket: Socket): string {
  // Node sets this without documenting it.
  const server: unknown = Reflect.get(socket, 'server')
  const bound = server instanceof Server ? server.address() : undefined
  return (isRecord(bound) ? String(bound.address) : socket.localAddress) ?? ''
}
