/* global SwaggerUIBundle */

const SCHEME = 'bearerAuth'
/** The login, by its names in the document. */
const LOGIN = { tag: 'Login', operationId: 'logIn' }
/** The key of the token in the session storage, where a reload of the page finds it. */
const TOKEN_KEY = 'json-server-bearer token'
const NOT_LOGGED_IN = 'Not logged in.'
const NO_RESPONSE = 'The server does not respond: is it still running?'
const REFUSED = 'Your token has expired, or the server was restarted: log in again.'
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
/** What the status line says unless the last request has failed. */
let standing = NOT_LOGGED_IN

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColorScheme)
followColorScheme()

/** Looks at each response, and at each request that gets none, before Swagger UI shows it. */
const watchResponses = {
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse:
          (show, { specSelectors }) =>
          (path, method, result) => {
            const response = result.error ? result.err.response : result
            if (response === undefined) {
              say(NO_RESPONSE)
              return show(path, method, { error: true, err: { name: '', message: NO_RESPONSE } })
            }
            const { operationId } = specSelectors.specJson().getIn(['paths', path, method]).toJS()
            const problem = problemOf(operationId, response)
            // A failed request ends no session.
            say(problem === undefined ? standing : [problem, token && standing].filter(Boolean).join(' '))
            return show(path, method, result)
          },
      },
    },
  },
}

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  plugins: [watchResponses],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => {
    logIn.disabled = false
    content.focus()
    resume().catch(() => say(NO_RESPONSE))
    // Swagger UI has scrolled already, but the page, and not the part of it that scrolls.
    requestAnimationFrame(() => ui.layoutActions.parseDeepLinkHash(location.hash))
  },
})

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
  if (!headers['www-authenticate']?.includes('invalid_token')) return 'This needs a token: log in first.'
  if (token) endSession(expires ? REFUSED : 'The server refused your token: log in again.')
}

function say(text) {
  status.textContent = text
}

function endSession(message) {
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
    headers: { Authorization: `Bearer ${kept}` },
  })
  if (code === 401) {
    sessionStorage.removeItem(TOKEN_KEY)
    standing = REFUSED
    say(standing)
    return
  }
  clockAhead = Date.now() - Date.parse(headers.get('date'))
  ui.preauthorizeApiKey(SCHEME, kept)
}

/** Keeps the status line true: Swagger UI has a login and a logout of its own. */
ui.getStore().subscribe(() => {
  const current = ui.authSelectors.authorized()?.getIn([SCHEME, 'value'])
  if (current === token) return
  token = current
  logIn.hidden = Boolean(token)
  logOut.hidden = !token
  clearTimeout(expiry)
  if (token) {
    startSession()
  } else {
    sessionStorage.removeItem(TOKEN_KEY)
    standing = NOT_LOGGED_IN
  }
  say(standing)
})

function startSession() {
  sessionStorage.setItem(TOKEN_KEY, token)
  const { email, exp } = claimsOf(token)
  expires = exp !== undefined
  const end = exp * 1000 + clockAhead
  const time = expires && new Date(end).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  standing = expires ? `Logged in${email ? ` as ${email}` : ''} until ${time}.` : 'A token is set.'
  if (expires) waitUntil(end)
}

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
  ui.layoutActions.parseDeepLinkHash(`#/${LOGIN.tag}/${LOGIN.operationId}`)
  // Swagger UI would scroll there slowly.
  ui.layoutActions.clearScrollTo()
  requestAnimationFrame(scrollToLogin)
})

function scrollToLogin() {
  const login = document.getElementById(`operations-${LOGIN.tag}-${LOGIN.operationId}`)
  // Swagger UI creates only the operations near the visible part, and is still on the way to this one.
  if (login === null) {
    requestAnimationFrame(scrollToLogin)
    return
  }
  login.scrollIntoView()
  login.querySelector('button').focus({ preventScroll: true })
}
