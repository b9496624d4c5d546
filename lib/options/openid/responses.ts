import { HttpError } from '../../errors'
import type { ErrorBody } from '../../http/error-body'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import { sendBody } from '../../http/send-json'
import { messagePage, PAGE_HEADERS } from './pages'
import type { ProviderAccounts } from './provider'

/** Sends a page. */
export function sendPage(
  response: HttpResponse,
  text: string,
  headers: Readonly<Record<string, string>> = PAGE_HEADERS,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  sendBody(response, Buffer.from(text))
}

/** Sends a browser elsewhere, by GET (RFC 9700 section 4.12), and tells nobody where it was. */
export function redirect(response: HttpResponse, address: string): void {
  response.statusCode = 303
  response.setHeader('Location', address)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.end()
}

/** An error as a person reads it, in a browser. */
export const errorPage: ErrorBody = ({ hasOwnBody, message }) =>
  hasOwnBody ? undefined : { text: messagePage('This does not work', message), headers: PAGE_HEADERS }

/**
 * A form on a page of another site could log a person in as somebody else, or out.
 *
 * @throws HttpError 403
 */
export function refuseForeignForms({ authentication }: ProviderAccounts, request: HttpRequest): void {
  if (!authentication.isFromOtherSite(request)) return
  throw new HttpError({
    status: 403,
    message:
      'A page of another site logs nobody in or out: open the page at the host name of this server, start with ' +
      '--allow-host and its host (allowedHosts in createApp), or send id_token_hint with a logout.',
  })
}
