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
  'Content-Security-Policy': "default-src 'none'; script-src 'unsafe-inline'",
}

export const COOKIE_CHECK = framePage("parent.postMessage('supported', '*')")
/** It says that nobody has logged out: a client sees that when it renews its tokens. */
export const STATUS_CHECK = framePage(
  "onmessage = ({ source, origin }) => source.postMessage('unchanged', origin)",
)

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

/** A page that asks for a name and a password, and sends them to its own address. */
export function providerLoginPage({ name, problem }: LoginPage): string {
  const [first, second] = name === '' ? [' autofocus', ''] : ['', ' autofocus']
  return textPage(
    'Log in',
    `${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>\n`}<form method="post">
<label>Name or email<input name="username" autocomplete="username" autocapitalize="none" value="${escaped(name)}" required${first}></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required${second}></label>
<button>Log in</button>
</form>`,
  )
}

/** A page with a sentence. */
export function messagePage(title: string, sentence: string): string {
  return textPage(title, `<p>${escaped(sentence)}</p>`)
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
