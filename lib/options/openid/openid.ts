import type { RequestHandler } from 'express'
import { type BuiltInRoute, isFor } from '../../auth/built-in-route'
import type { Contexts } from '../../auth/contexts'
import { OptionError } from '../../errors'
import type { AllowedHosts } from '../../http/allowed-hosts'
import { BODY_LIMITS } from '../../http/body-limits'
import { jsonErrorBody, setErrorBody } from '../../http/error-body'
import { readLoginBody } from '../../http/read-login-body'
import { isRead } from '../../http/request'
import { sendUncached } from '../../http/send-json'
import { isWebAddress, WEB_ADDRESS_FORM } from '../../http/web-address'
import { parametersOf } from './authorization'
import { authorize } from './authorize'
import { Codes } from './codes'
import { configuration, ENDPOINTS, isAt, issuerOf } from './endpoints'
import { endSession } from './log-out'
import { OAuthError } from './oauth-error'
import { COOKIE_CHECK, FRAME_HEADERS, STATUS_CHECK } from './pages'
import type { Provider, ProviderAccounts, RespondInRealm } from './provider'
import { errorPage, sendPage } from './responses'
import { Signer } from './signer'
import { token } from './token'
import { bearerIn, userInfo } from './user-info'

interface OpenidOptions {
  /** What the server knows of each request. */
  contexts: Contexts
  /** Hosts to which a browser may be sent beside localhost. */
  hosts: AllowedHosts
  /** What tokens say that has made them. Default: the address that was asked. */
  issuer: string | undefined
}

interface EndpointRoute {
  readonly path: string
  readonly methods: readonly string[]
  /** Who reads its errors: a program, or a person in a browser. */
  readonly reader: 'client' | 'person'
  readonly respond: RespondInRealm
}

const READ = ['GET', 'HEAD']
const GET_OR_POST = ['GET', 'POST']

const ROUTES: readonly EndpointRoute[] = [
  {
    path: ENDPOINTS.configuration,
    methods: READ,
    reader: 'client',
    respond({ issuer }, request, response) {
      const address = issuerOf(request, issuer)
      sendUncached(response, configuration(issuer ?? address, address))
    },
  },
  {
    path: ENDPOINTS.keys,
    methods: READ,
    reader: 'client',
    respond: async ({ signer }, _request, response) => sendUncached(response, await signer.keys()),
  },
  { path: ENDPOINTS.authorize, methods: GET_OR_POST, reader: 'person', respond: authorize },
  { path: ENDPOINTS.token, methods: ['POST'], reader: 'client', respond: token },
  { path: ENDPOINTS.userInfo, methods: GET_OR_POST, reader: 'client', respond: userInfo },
  { path: ENDPOINTS.logOut, methods: GET_OR_POST, reader: 'person', respond: endSession },
  {
    path: ENDPOINTS.cookieCheck,
    methods: READ,
    reader: 'person',
    respond: (_served, _request, response) => sendPage(response, COOKIE_CHECK, FRAME_HEADERS),
  },
  {
    path: ENDPOINTS.statusCheck,
    methods: READ,
    reader: 'person',
    respond: (_served, _request, response) => sendPage(response, STATUS_CHECK, FRAME_HEADERS),
  },
]

/** Each needs no token: what it asks for itself, a code, a password or a token, is its own. */
const BUILT_IN_ROUTES: readonly BuiltInRoute[] = ROUTES.map(({ path, methods }) => ({
  hasPath: (asked) => isAt(path, asked),
  hasMethod: (method) => methods.includes(method),
  isOpen: true,
  mayBeRewritten: false,
  // The start has a line with the issuer.
  shown: () => [],
}))

/**
 * `--openid`: the server as the OpenID provider of its own users, by the code flow alone (OpenID Connect Core 1.0, RFC
 * 6749, RFC 7636, RFC 9700).
 *
 * @throws OptionError for an issuer that is no address
 */
export function openidProvider({ contexts, hosts, issuer }: OpenidOptions) {
  if (issuer !== undefined && !isWebAddress(issuer))
    throw new OptionError(`issuer: ${JSON.stringify(issuer)} must be ${WEB_ADDRESS_FORM}.`)
  const provider: Provider = { signer: new Signer(), codes: new Codes(), hosts, issuer }
  const readBody = readLoginBody(BODY_LIMITS.login, { multipart: false })

  /**
   * Notes the sandbox in which a code or a token was made: who exchanges it, such as a server, or a browser without the
   * fixture of a test, names none.
   */
  const noteSandbox =
    ({ sessions }: ProviderAccounts): RequestHandler =>
    (request, response, next) => {
      const { method, path } = request
      const isToken = method === 'POST' && isAt(ENDPOINTS.token, path)
      if (!isToken && !isAt(ENDPOINTS.userInfo, path)) return next()
      const note = async () => {
        if (isToken) await readBody(request, response)
        const of = parametersOf(request.body)
        const { claims } = isToken
          ? sessions.readRefreshToken(of('refresh_token'), 'client')
          : sessions.readAccessToken(bearerIn(request))
        const made = provider.codes.find(of('code'))?.session ?? claims
        contexts.of(request).madeIn = made?.sandbox
      }
      note().then(() => next(), next)
    }

  /** Responds for some data. */
  const stepFor = (accounts: ProviderAccounts) => {
    const realm = { ...provider, ...accounts }
    const openid: RequestHandler = (request, response, next) => {
      const index = BUILT_IN_ROUTES.findIndex((route) => isFor(route, request))
      const route = ROUTES[index]
      if (route === undefined) return next()
      setErrorBody(request, route.reader === 'person' ? errorPage : jsonErrorBody(OAuthError.bodyOf))
      const respond = async () => {
        if (!isRead(request)) await readBody(request, response)
        await route.respond(realm, request, response)
      }
      respond().catch(next)
    }
    return openid
  }

  return {
    builtInRoutes: BUILT_IN_ROUTES,
    /** The steps for some data. */
    stepsFor: (accounts: ProviderAccounts) => ({
      noteSandbox: noteSandbox(accounts),
      openid: stepFor(accounts),
    }),
  }
}
