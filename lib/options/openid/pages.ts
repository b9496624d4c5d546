import { escapedHtml } from '../../http/escaped-html'

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** Nothing on a page runs or is loaded, and no other page can put it into a frame. */
export const PAGE_HEADERS = {
  ...HEADERS,
  // It has no form-action: Chromium applies that to the redirect which follows the form, too.
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  // With no-referrer, browsers would send the form with Origin: null, as one of another site.
  'Referrer-Policy': 'same-origin',
}

/** A page in a frame of keycloak-js, which speaks to the page around it. */
export const FRAME_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': "default-src 'none'; script-src 'unsafe-inline'; connect-src 'self'",
}

export const COOKIE_CHECK = framePage("parent.postMessage('supported', '*')")
/** It asks the server for each message, because no script can read the cookie of the session. */
export const STATUS_CHECK = framePage(`onmessage = async ({ data, source, origin }) => {
  const [client_id, session_state = ''] = String(data).split(' ')
  const asked = new URLSearchParams({ client_id, session_state, origin })
  const said = await fetch('?' + asked).then((response) => (response.ok ? response.text() : 'unchanged'), () => 'unchanged')
  source.postMessage(said, origin)
}`)
/** The same where nothing can be said. */
export const UNCHANGED_CHECK = framePage(
  "onmessage = ({ source, origin }) => source.postMessage('unchanged', origin)",
)

/** Tells an answer to the page around it (the response mode `web_message` of Auth0's client). */
export function messageToParent(origin: string, said: Readonly<Record<string, string>>): string {
  const message = { type: 'authorization_response', response: said }
  return framePage(`parent.postMessage(${inScript(message)}, ${inScript(origin)})`)
}

/** Sends an answer by a form (OAuth 2.0 Form Post Response Mode). */
export function formPage(address: string, said: Readonly<Record<string, string>>): string {
  const fields = Object.entries(said).map(
    ([name, value]) => `<input type="hidden" name="${escapedHtml(name)}" value="${escapedHtml(value)}">`,
  )
  const form = `<form method="post" action="${escapedHtml(address)}">${fields.join('')}<noscript><button>Go on</button></noscript></form>`
  return `<!doctype html>${form}<script>document.forms[0].submit()</script>`
}

/** JSON within a script, which nothing in it can end. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function framePage(script: string): string {
  return `<!doctype html><script>${script}</script>`
}

/** What the page of a login says. */
interface LoginPage {
  /** Who logs in, as far as that is known. */
  readonly name: string
  /** Why the login was refused. */
  readonly problem?: string
}

/**
 * A page that asks for a name and a password, and sends them to its own address. Its ids are those of Keycloak's page, into
 * which people's tests type.
 */
export function providerLoginPage({ name, problem }: LoginPage): string {
  const [first, second] = name === '' ? [' autofocus', ''] : ['', ' autofocus']
  return textPage(
    'Log in',
    `${problem === undefined ? '' : `<p role="alert">${escapedHtml(problem)}</p>\n`}<form method="post" id="kc-form-login">
<label>Name or email<input id="username" name="username" autocomplete="username" autocapitalize="none" value="${escapedHtml(name)}" required${first}></label>
<label>Password<input id="password" name="password" type="password" autocomplete="current-password" required${second}></label>
<button id="kc-login" name="login">Log in</button>
</form>`,
  )
}

/** A page with a sentence. */
export function messagePage(title: string, sentence: string): string {
  return textPage(title, `<p>${escapedHtml(sentence)}</p>`)
}

function textPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.6 system-ui, sans-serif; max-width: 22rem; margin: 3rem auto; padding: 0 1rem }
input, button { font: inherit; width: 100%; padding: 0.4rem; box-sizing: border-box; margin-bottom: 1rem }
</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`
}
