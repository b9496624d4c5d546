import { addedHeaders, additions, makeAdditions } from './additions.mjs'

/** The login's operation in the document, and the scheme of its token. */
const LOGIN = 'logIn'
const SCHEME = 'bearerAuth'
/** The key in the session storage, where a reload of the page finds the token. */
const KEY = 'json-server-bearer login'
/** The most milliseconds that a browser can wait: some 25 days. */
const LONGEST_WAIT = 2 ** 31 - 1
export const NO_RESPONSE = 'The server does not respond: is it still running?'
const REFUSED = 'Your token has expired, or the server was restarted: log in again.'

const top = document.getElementById('session')
const form = document.getElementById('log-in')
const fields = [...form.querySelectorAll('input')]
const status = document.getElementById('status')
const logOut = document.getElementById('log-out')
/** Swagger UI, once it shows the document: it sends the token with the requests that need one. */
let ui
let token
/** Asks the server when the token should have ended. */
let atTheEnd
/** What the status line says unless the last request has failed: at first, how to log in. */
let standing = status.textContent

makeAdditions({ top, ask, isLoggedIn, claims, endSession })
form.addEventListener('submit', logIn)
form.querySelector('button').disabled = false
for (const field of fields) field.addEventListener('input', () => markRefused(false))
logOut.addEventListener('click', () => endSession())
resumeSession()

/** Gives Swagger UI the token from here on, and takes over a token that is pasted behind one of its locks. */
export function followLogin(swaggerUi) {
  ui = swaggerUi
  if (token) ui.preauthorizeApiKey(SCHEME, token)
  ui.getStore().subscribe(() => {
    const current = ui.authSelectors.authorized()?.getIn([SCHEME, 'value'])
    if (current !== token) setToken(current)
  })
}

/** Looks at a response, or undefined where none came. */
export function takeResponse(operationId, response) {
  const problem = response === undefined ? NO_RESPONSE : problemOf(operationId, response)
  // A failed request ends no session.
  say(problem === undefined ? standing : [problem, token && standing].filter(Boolean).join(' '))
}

/** What the status line says about a response; undefined when nothing has gone wrong. */
function problemOf(operationId, { status: code, headers, body }) {
  if (operationId === LOGIN) {
    if (code === 200) setToken(body.access_token)
    return
  }
  if (code !== 401) return
  // Swagger UI makes a list of a header with commas.
  if (headers['www-authenticate']?.toString().includes('invalid_token')) {
    if (token) endSession(REFUSED)
    return
  }
  // Where everything is open, this request alone needs one, and the login is not shown until then.
  top.dataset.access = 'login'
  return 'This needs a token: log in first.'
}

async function logIn(event) {
  event.preventDefault()
  say('Logging in ...')
  const response = await send(form.action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  })
  if (response?.ok) {
    const { access_token } = await response.json()
    setToken(access_token)
    document.getElementById('swagger-ui').focus()
  } else {
    const isWrong = response?.status === 401
    say(isWrong ? 'Wrong email or password.' : await sentenceOf(response))
    markRefused(isWrong)
    fields.at(-1).select()
  }
}

/** Marks the fields as wrong; the status line, which describes them, says why. */
function markRefused(isRefused) {
  for (const field of fields) field.ariaInvalid = isRefused
}

/** Takes over the token from before a reload of the page, unless the server now refuses it. */
function resumeSession() {
  const kept = sessionStorage.getItem(KEY)
  if (kept === null) return
  setToken(kept)
  // A server that refuses the token ends the session. A 404, for a user who was deleted, does not end it.
  ask('auth/me')
}

/** Logs out, and says why. */
function endSession(message = 'Not logged in.') {
  setToken(undefined, message)
}

function setToken(jwt, message) {
  token = jwt
  const { email, exp } = claims()
  const wasAtLogOut = document.activeElement === logOut
  form.hidden = Boolean(token)
  logOut.hidden = !token
  if (wasAtLogOut && logOut.hidden) fields[0].focus()
  clearTimeout(atTheEnd)
  if (exp) atTheEnd = setTimeout(ask, Math.min(exp * 1000 + 1000 - Date.now(), LONGEST_WAIT), 'auth/me')
  if (token) {
    standing = exp ? `Logged in${email ? ` as ${email}` : ''} until ${timeOf(exp)}.` : 'A token is set.'
    sessionStorage.setItem(KEY, token)
    ui?.preauthorizeApiKey(SCHEME, token)
  } else {
    standing = message
    sessionStorage.removeItem(KEY)
    ui?.authActions.logout([SCHEME])
  }
  say(standing)
  if (token) for (const { takeClaims } of additions) takeClaims(claims())
}

/**
 * Sends a request of the page itself, with the token if there is one.
 *
 * @returns why it has failed, or an empty string
 */
async function ask(path) {
  const response = await send(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
  takeResponse(
    undefined,
    response && { status: response.status, headers: Object.fromEntries(response.headers) },
  )
  return response?.ok ? '' : sentenceOf(response)
}

/**
 * Sends a request.
 *
 * @returns the response; undefined where none comes
 */
function send(path, { headers, ...request }) {
  return fetch(path, { ...request, headers: { ...headers, ...addedHeaders() } }).catch(() => undefined)
}

/** Why a request has failed, in the server's words where it has some. */
async function sentenceOf(response) {
  if (response === undefined) return NO_RESPONSE
  const { error } = (await response.json().catch(() => null)) ?? {}
  return typeof error === 'string' ? error : `The server responds with the status ${response.status}.`
}

function say(text) {
  status.textContent = text
}

function isLoggedIn() {
  return token !== undefined
}

/**
 * A time for the reader, without its date where that is today.
 *
 * @param seconds since the epoch
 */
function timeOf(seconds) {
  const time = new Date(seconds * 1000)
  const isToday = time.toDateString() === new Date().toDateString()
  return time.toLocaleString([], { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' })
}

/** The claims of the token; none without one, or where it is not a JWT. */
function claims() {
  try {
    const [, payload] = token.split('.')
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return {}
  }
}
