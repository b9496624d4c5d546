/* global SwaggerUIBundle */

const SCHEME = 'bearerAuth'
const NOT_LOGGED_IN = 'Not logged in.'
/** Milliseconds: a timer cannot wait longer. */
const LONGEST_WAIT = 2 ** 31 - 1

const status = document.querySelector('#session [role=status]')
const content = document.getElementById('swagger-ui')
const logIn = document.getElementById('log-in')
const logOut = document.getElementById('log-out')
let token
let expiry
/** Whether the token says until when it is valid. */
let expires = false
/** Milliseconds by which the browser's clock is ahead of the server's. */
let clockAhead = 0
/** What is shown when there is no token any more. */
let parting = NOT_LOGGED_IN

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColorScheme)
followColorScheme()

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    logIn.disabled = false
    content.focus()
    // Swagger UI has scrolled already, but the page, and not the part of it that scrolls.
    requestAnimationFrame(() => ui.layoutActions.parseDeepLinkHash(location.hash))
  },
  responseInterceptor: (response) => {
    if (response.url.endsWith('/auth/login')) afterLogin(response)
    else if (response.status === 401) afterRefusal(response)
    return response
  },
})

/** Sends the token of a login with every request from now on. */
function afterLogin({ ok, status: code, body }) {
  if (!ok) {
    say(code === 401 ? 'Wrong email or password.' : `The login failed with the status ${code}.`)
    return
  }
  const { iat } = claimsOf(body.access_token)
  clockAhead = Date.now() - iat * 1000
  ui.preauthorizeApiKey(SCHEME, body.access_token)
}

function afterRefusal({ headers }) {
  if (!headers['www-authenticate']?.includes('invalid_token')) say('This needs a token: log in first.')
  else if (token)
    endSession(
      expires
        ? 'Your token has expired, or the server was restarted: log in again.'
        : 'The server refused your token: log in again.',
    )
}

function say(text) {
  status.textContent = text
}

function endSession(message) {
  parting = message
  ui.authActions.logout([SCHEME])
}

/** Keeps the line at the top true: Swagger UI has a login and a logout of its own. */
ui.getStore().subscribe(() => {
  const current = ui.authSelectors.authorized()?.getIn([SCHEME, 'value'])
  if (current === token) return
  token = current
  logIn.hidden = Boolean(token)
  logOut.hidden = !token
  clearTimeout(expiry)
  if (!token) {
    say(parting)
    parting = NOT_LOGGED_IN
    return
  }
  const { email, exp } = claimsOf(token)
  expires = exp !== undefined
  const end = exp * 1000 + clockAhead
  const time = exp && new Date(end).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  say(expires ? `Logged in${email ? ` as ${email}` : ''} until ${time}.` : 'A token is set.')
  if (exp) waitUntil(end)
})

function waitUntil(end) {
  const left = end - Date.now()
  if (left <= 0) return endSession('Your token has expired: log in again.')
  expiry = setTimeout(waitUntil, Math.min(left, LONGEST_WAIT), end)
}

/** The claims of a token; none where it is not a JWT. */
function claimsOf(jwt) {
  try {
    const [, payload] = jwt.split('.')
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return {}
  }
}

logOut.addEventListener('click', () => endSession(NOT_LOGGED_IN))

/** Opens the login and scrolls to it. */
logIn.addEventListener('click', () => {
  ui.layoutActions.parseDeepLinkHash('#/Login/logIn')
  // Swagger UI would scroll there slowly.
  ui.layoutActions.clearScrollTo()
  requestAnimationFrame(scrollToLogin)
})

function scrollToLogin() {
  const login = document.getElementById('operations-Login-logIn')
  // Swagger UI creates only the operations near the visible part, and is still on the way to this one.
  if (login === null) {
    requestAnimationFrame(scrollToLogin)
    return
  }
  login.scrollIntoView()
  login.querySelector('button').focus({ preventScroll: true })
}
