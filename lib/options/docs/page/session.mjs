import { addedHeaders, additions } from './additions.mjs'
import { LOGIN } from './operations.mjs'

const SCHEME = 'bearerAuth'
/** The key of the token in the session storage, where a reload of the page finds it. */
const TOKEN_KEY = 'json-server-bearer token'
const NOT_LOGGED_IN = 'Not logged in.'
export const NO_RESPONSE = 'The server does not respond: is it still running?'
const REFUSED = 'Your token has expired, or the server was restarted: log in again.'

const status = document.querySelector('#session [role=status]')
const logIn = document.getElementById('log-in')
const logOut = document.getElementById('log-out')
/** Swagger UI, which sends the token. */
let ui
let token
/** When the token expires, in milliseconds since the epoch; NaN where it does not say. */
let end
/** Milliseconds by which the browser's clock is ahead of the server's. */
let clockAhead = 0
/** What the status line says unless the last request has failed. */
let standing = NOT_LOGGED_IN

/** Keeps the status line true from here on: Swagger UI has a login and a logout of its own. */
export function followLogin(swaggerUi) {
  ui = swaggerUi
  ui.getStore().subscribe(takeToken)
  logIn.disabled = false
  logOut.addEventListener('click', () => endSession(NOT_LOGGED_IN))
  setInterval(() => {
    if (Date.now() >= end) endSession('Your token has expired: log in again.')
  }, 1000)
  resume().catch(() => say(NO_RESPONSE))
}

/** Looks at a response, or undefined where none came. */
export function takeResponse(operationId, response) {
  const problem = response === undefined ? NO_RESPONSE : problemOf(operationId, response)
  // A failed request ends no session.
  say(problem === undefined ? standing : [problem, token && standing].filter(Boolean).join(' '))
}

/** What the status line says about a response; undefined when nothing has gone wrong. Also takes over the token of a login. */
function problemOf(operationId, { status: code, headers, body }) {
  if (operationId === LOGIN.operationId) {
    if (code === 401) return 'Wrong email or password.'
    if (code === 400) return 'The body is not valid JSON: correct it, and Execute.'
    if (code !== 200) return `The login failed with the status ${code}: the response below says why.`
    clockAhead = Date.now() - claimsOf(body.access_token).iat * 1000
    ui.preauthorizeApiKey(SCHEME, body.access_token)
    return
  }
  if (code !== 401) return
  // Swagger UI makes a list of a header with commas.
  if (!headers['www-authenticate']?.toString().includes('invalid_token'))
    return 'This needs a token: log in first.'
  if (token) endSession(REFUSED)
}

function say(text) {
  status.textContent = text
}

/** Logs out, and says why. */
export function endSession(message) {
  ui.authActions.logout([SCHEME])
  standing = message
  say(message)
}

/** After a reload of the page: takes over the earlier token, unless the server now refuses it. */
async function resume() {
  const kept = sessionStorage.getItem(TOKEN_KEY)
  if (kept === null) return
  const { status: code, headers } = await fetch('db', {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${kept}`, ...addedHeaders() },
  })
  clockAhead = Date.now() - Date.parse(headers.get('date'))
  ui.preauthorizeApiKey(SCHEME, kept)
  if (code === 401) endSession(REFUSED)
}

function takeToken() {
  const current = ui.authSelectors.authorized()?.getIn([SCHEME, 'value'])
  if (current === token) return
  token = current
  logIn.hidden = Boolean(token)
  logOut.hidden = !token
  if (token) startSession()
  else {
    sessionStorage.removeItem(TOKEN_KEY)
    end = Number.NaN
    standing = NOT_LOGGED_IN
  }
  say(standing)
}

function startSession() {
  sessionStorage.setItem(TOKEN_KEY, token)
  for (const { takeClaims } of additions) takeClaims(claims())
  const { email, exp } = claims()
  end = exp * 1000 + clockAhead
  const time = new Date(end).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  standing = exp ? `Logged in${email ? ` as ${email}` : ''} until ${time}.` : 'A token is set.'
}

/** The claims of the token; none without one. */
export function claims() {
  return claimsOf(token)
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
