import { LOGIN_PATH } from '../../auth/access-policy'
import { ALL, type Allowed } from '../../auth/allow-rules'
import { type Credentials, sampleLogin, whoCanLogIn } from '../../auth/credentials'
import { type Data, resourceNames } from '../../data/valid-data'

/** With so many resources, their groups are closed at first, and there is a filter. */
const MANY = 12

export interface PageOptions {
  readonly title: string
  readonly data: Data
  /** Logins that are not in the data. */
  readonly logins: readonly Credentials[]
  /** What needs no token beside the login and the public reads. */
  readonly allowed: Allowed
}

/** The page, with a login filled in. */
export function pageHtml(options: PageOptions): string {
  const { title, data, logins, allowed } = options
  const { email, password } = shownLogin(data, logins)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/page.css">
    <script defer src="docs/swagger-ui-bundle.js"></script>
    <script type="module" src="docs/page.mjs"></script>
  </head>
  <body>
    <header id="session" data-access="${allowed === ALL ? 'open' : 'login'}">
      <div>
        <form id="log-in" action="${LOGIN_PATH.slice(1)}" method="post">
          <label>Email <input name="email" value="${escapeHtml(email)}" required autocomplete="username" autocapitalize="none" spellcheck="false" aria-describedby="status"></label>
          <label>Password <input name="password" value="${escapeHtml(password)}" type="password" required autocomplete="current-password" aria-describedby="status"></label>
          <button type="submit" disabled>Log in</button>
        </form>
        <p id="status" role="status">${howToLogIn(options)}</p>
        <button type="button" id="log-out" hidden>Log out</button>
      </div>
    </header>
    <!-- The login works before all of Swagger UI: a browser shows nothing that comes after styles which it still loads. -->
    <script type="module" async src="docs/session.mjs"></script>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/swagger-ui-changes.css">
    <link rel="stylesheet" href="docs/contrast.css">
    <div id="swagger-ui" tabindex="-1" data-collections="${resourceNames(data).length >= MANY ? 'many' : 'few'}"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`
}

/**
 * The login that the page and the document fill in. Everybody can read them, so they show no password but the
 * sample's, and no email of a user in the data.
 */
export function shownLogin({ users }: Data, logins: readonly Credentials[]): Credentials {
  const email = logins[0]?.email ?? ''
  return sampleLogin(users) ?? sampleLogin(logins) ?? { email, password: '' }
}

function howToLogIn({ data, logins, allowed }: PageOptions): string {
  if (allowed === ALL) return 'No request needs a login.'
  if (shownLogin(data, logins).password !== '') return 'Not logged in: the sample user is filled in.'
  if (logins.length > 0) return 'Not logged in: type the password that the server was started with.'
  if (whoCanLogIn(data.users).length > 0)
    return 'Not logged in: type the email and the password of a user in the data.'
  return 'Nobody can log in yet: start the server with --user name:password.'
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
