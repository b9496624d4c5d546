import type { RequestHandler } from 'express'
import { type BuiltInRoute, isFor } from '../../auth/built-in-route'
import type { Contexts } from '../../auth/contexts'
import type { PublishedKey } from '../../auth/published-key'
import { OptionError } from '../../errors'
import type { AllowedHosts } from '../../http/allowed-hosts'
import { BODY_LIMITS } from '../../http/body-limits'
import { jsonErrorBody, setErrorBody } from '../../http/error-body'
import type { HttpRequest } from '../../http/handler'
import { readLoginBody } from '../../http/read-login-body'
import { isRead } from '../../http/request'
import { sendUncached } from '../../http/send-json'
import { isWebAddress, WEB_ADDRESS_FORM } from '../../http/web-address'
import { parametersOf } from './authorization'
import { authorize } from './authorize'
import { browserTokens } from './browser-session'
import { Codes } from './codes'
import {
  belowIssuer,
  configuration,
  ENDPOINTS,
  inAccount,
  inMetadata,
  issuerOf,
  type PrefixOf,
} from './endpoints'
import { introspect, revoke } from './introspection'
import { logOutOfProvider } from './log-out'
import { OAuthError } from './oauth-error'
import { COOKIE_CHECK, FRAME_HEADERS } from './pages'
import type { Provider, ProviderAccounts, RespondInRealm } from './provider'
import { errorPage, sendPage } from './responses'
import { statusCheck } from './session-state'
import { Signer } from './signer'
import { token } from './token'
import { account, bearerIn, userInfo } from './user-info'

interface OpenidOptions {
  /** What the server knows of each request. */
  contexts: Contexts
  /** Hosts to which a browser may be sent beside localhost. */
  hosts: AllowedHosts
  /** What tokens say that has made them. Default: the address that was asked. */
  issuer: string | undefined
  /** Signs access tokens. */
  published: PublishedKey
}

/** The provider of a server. */
export type OpenidProvider = ReturnType<typeof openidProvider>

interface EndpointRoute {
  readonly route: BuiltInRoute
  /** Who reads its errors: a program, or a person in a browser. */
  readonly reader: 'client' | 'person'
  readonly respond: RespondInRealm
  /** Gives the token that a request brings without a name of its sandbox: it says where it was made. */
  readonly tokenSent?: (request: HttpRequest) => string
}

const READ = ['GET', 'HEAD']
const GET_OR_POST = ['GET', 'POST']

const sendConfiguration: RespondInRealm = ({ issuer }, request, response) => {
  const address = issuerOf(request, issuer)
  sendUncached(response, configuration(issuer ?? address, address))
}

/** It needs no token: what it asks for itself, a code, a password or a token, is its own. */
function routeOf(prefixOf: PrefixOf, methods: readonly string[]): BuiltInRoute {
  return {
    hasPath: (asked) => prefixOf(asked) !== undefined,
    hasMethod: (method) => methods.includes(method),
    isOpen: true,
    mayBeRewritten: false,
    // The start has a line with the issuer.
    shown: () => [],
  }
}

const ROUTES: readonly EndpointRoute[] = [
  {
    route: routeOf(belowIssuer(ENDPOINTS.configuration), READ),
    reader: 'client',
    respond: sendConfiguration,
  },
  { route: routeOf(inMetadata, READ), reader: 'client', respond: sendConfiguration },
  {
    route: routeOf(belowIssuer(ENDPOINTS.keys), READ),
    reader: 'client',
    respond: async ({ signer }, _request, response) => sendUncached(response, await signer.keys()),
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.authorize), GET_OR_POST),
    reader: 'person',
    respond: authorize,
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.token), ['POST']),
    reader: 'client',
    respond: token,
    tokenSent: ({ body }) => parametersOf(body)('refresh_token'),
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.introspect), ['POST']),
    reader: 'client',
    respond: introspect,
    tokenSent: ({ body }) => parametersOf(body)('token'),
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.revoke), ['POST']),
    reader: 'client',
    respond: revoke,
    tokenSent: ({ body }) => parametersOf(body)('token'),
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.userInfo), GET_OR_POST),
    reader: 'client',
    respond: userInfo,
    tokenSent: bearerIn,
  },
  { route: routeOf(inAccount, READ), reader: 'client', respond: account, tokenSent: bearerIn },
  {
    route: routeOf(belowIssuer(ENDPOINTS.logOut), GET_OR_POST),
    reader: 'person',
    respond: logOutOfProvider,
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.cookieCheck), READ),
    reader: 'person',
    respond: (_realm, _request, response) => sendPage(response, COOKIE_CHECK, FRAME_HEADERS),
  },
  {
    route: routeOf(belowIssuer(ENDPOINTS.statusCheck), READ),
    reader: 'person',
    respond: statusCheck,
    tokenSent: (request) => browserTokens(request)[0] ?? '',
  },
]

/**
 * `--openid`: the server as the OpenID provider of its own users, by the code flow alone (OpenID Connect Core 1.0, RFC
 * 6749, RFC 7636, RFC 9700).
 *
 * @throws OptionError for an issuer that is no address
 */
export function openidProvider({ contexts, hosts, issuer, published }: OpenidOptions) {
  if (issuer !== undefined && !isWebAddress(issuer))
    throw new OptionError(`issuer: ${JSON.stringify(issuer)} must be ${WEB_ADDRESS_FORM}.`)
  const provider: Provider = { signer: new Signer(published), codes: new Codes(), hosts, issuer }
  const readBody = readLoginBody(BODY_LIMITS.login)

  /**
   * Notes the sandbox in which a code or a token was made: who exchanges it, such as a server, or a browser without the
   * fixture of a test, names none.
   */
  const noteSandbox =
    ({ sessions }: ProviderAccounts): RequestHandler =>
    (request, response, next) => {
      const { tokenSent } = ROUTES.find((one) => one.tokenSent && one.route.hasPath(request.path)) ?? {}
      if (tokenSent === undefined) return next()
      const note = async () => {
        if (!isRead(request)) await readBody(request, response)
        const claims = sessions.claimsOf(tokenSent(request))
        const made = provider.codes.find(parametersOf(request.body)('code'))?.session ?? claims
        contexts.of(request).madeIn = made?.sandbox
      }
      note().then(() => next(), next)
    }

  /** Responds for some data. */
  const stepFor = (accounts: ProviderAccounts) => {
    const realm = { ...provider, ...accounts }
    const openid: RequestHandler = (request, response, next) => {
      const endpoint = ROUTES.find(({ route }) => isFor(route, request))
      if (endpoint === undefined) return next()
      setErrorBody(request, endpoint.reader === 'person' ? errorPage : jsonErrorBody(OAuthError.bodyOf))
      const respond = async () => {
        if (!isRead(request)) await readBody(request, response)
        await endpoint.respond(realm, request, response)
      }
      respond().catch(next)
    }
    return openid
  }

  return {
    builtInRoutes: ROUTES.map(({ route }) => route),
    /** The steps for some data. */
    stepsFor: (accounts: ProviderAccounts) => ({
      noteSandbox: noteSandbox(accounts),
      respond: stepFor(accounts),
    }),
  }
}
