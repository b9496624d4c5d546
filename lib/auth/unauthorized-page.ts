import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { UnauthorizedError } from '../errors'
import type { ErrorBody } from '../http/error-body'
import { escapedHtml } from '../http/escaped-html'
import { notesOf } from '../http/notes'
import { isRead, type RequestLine } from '../http/request'

/**
 * @param path the one that was opened, for HTML
 * @param inBrowser what it says about the page of `--docs`
 * @param address that of the server
 */
const pageText = (path: string, inBrowser: string, address: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>401: log in first</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark }
  body { font: 17px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem }
  pre { font: 14px/1.6 ui-monospace, Menlo, Consolas, monospace; padding: 1rem; overflow-x: auto;
    border: 1px solid #8888; border-radius: 8px }
  code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Log in first</h1>
<p>This is a mock REST API: json-server-bearer, which is json-server with a login. Nearly every request needs
a token, and a browser that opens an address, such as <code>${path}</code>, sends none. That is why this page is a
401, whether there is something at this path or not.</p>
<h2>In a terminal</h2>
<p>The terminal in which the server was started shows these lines, filled in. Otherwise put your login in the
second line:</p>
<pre>URL=${address}
TOKEN=$(curl -s $URL/auth/login --data-urlencode email='EMAIL' \\
  --data-urlencode password='PASSWORD' | cut -sd'"' -f4)
curl $URL/auth/me -H "Authorization: Bearer $TOKEN"</pre>
<p>Can nobody log in yet? Start the server with <code>--user me:secret</code>. With
<code>--allow all</code>, no request needs a token.</p>
<h2>In a browser</h2>
<p>${inBrowser}</p>
<h2>In your application</h2>
<p>Send <code>email</code> and <code>password</code> to <code>POST /auth/login</code>. The response is
<code>{"access_token": "..."}</code>: send that with every request, in the header
<code>Authorization: Bearer &lt;access_token&gt;</code>.</p>
</body>
</html>
`

/** @param up what leads from the path that was opened to `/`, wherever the application is mounted */
const withDocs = (up: string) =>
  `<a href="${up}docs/data">/docs/data</a> logs in, shows the data and changes it.`
const WITHOUT_DOCS =
  'Started with <code>--docs</code>, the server has a page that logs in, shows the data and changes it.'

/** Only a host and a port: they are put into a page, and from there into a shell. */
const HOST = /^(?:\w[\w.-]*|\[[\da-f:]+\])(?::\d+)?$/i

/** The address that a request was sent to. Where its header Host is none, the one that the server has by default. */
function askedAddress({
  headers: { host = '' },
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  if (!HOST.test(host)) return 'http://localhost:33000'
  return `${socket instanceof TLSSocket ? 'https' : 'http'}://${host}`
}

/** The path that a request was sent to, before any rewrite rule. Its query may hold anything. */
function openedPath(request: RequestLine & IncomingMessage): string {
  const [path = '/'] = (notesOf(request).sentTarget ?? request.path).split(/[?#]/)
  return path
}

/**
 * Gives the page for a person whose browser has opened an address of the server, and sends no token (Fetch Metadata,
 * section 2.2); undefined for any other request.
 *
 * @param options `docs`: whether there is a page to which it can lead
 */
export function unauthorizedPage({ docs }: { docs: boolean }) {
  return (request: RequestLine & IncomingMessage): ErrorBody | undefined => {
    const { method, headers } = request
    if (!isRead({ method }) || headers['sec-fetch-mode'] !== 'navigate') return undefined
    if (headers.authorization !== undefined) return undefined
    const path = openedPath(request)
    const folders = path.split('/').slice(1, -1)
    const inBrowser = docs ? withDocs('../'.repeat(folders.length)) : WITHOUT_DOCS
    // The same bytes whatever the data is: anybody can read them. Nothing on the page runs or is loaded.
    const page = {
      text: pageText(escapedHtml(path), inBrowser, askedAddress(request)),
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    }
    return (error) => (error instanceof UnauthorizedError ? page : undefined)
  }
}
