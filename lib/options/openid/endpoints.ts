import { TLSSocket } from 'node:tls'
import { badRequest } from '../../errors'
import type { HttpRequest } from '../../http/handler'

const CONNECT = '/protocol/openid-connect'

/**
 * The paths of the endpoints below an issuer. They are those of Keycloak, because its client knows them without asking;
 * every other client reads them from the configuration.
 */
export const ENDPOINTS = {
  configuration: '/.well-known/openid-configuration',
  authorize: `${CONNECT}/auth`,
  token: `${CONNECT}/token`,
  introspect: `${CONNECT}/token/introspect`,
  revoke: `${CONNECT}/revoke`,
  keys: `${CONNECT}/certs`,
  userInfo: `${CONNECT}/userinfo`,
  logOut: `${CONNECT}/logout`,
  // Pages that keycloak-js opens in frames at its start: without an answer of the first, it waits for ten seconds.
  cookieCheck: `${CONNECT}/3p-cookies/step1.html`,
  statusCheck: `${CONNECT}/login-status-iframe.html`,
} as const

/** Where clients of OAuth alone look for the configuration: the path of the issuer stands after it (RFC 8414 section 3). */
const SERVER_METADATA = '/.well-known/oauth-authorization-server'

/** The path of an issuer: `/realms/demo`, `/oauth2/default`, or nothing. */
const PREFIX = /^(?:\/[\w.~-]+)*$/

/** Where keycloak-js asks for the profile: elsewhere, it may be a resource. */
const ACCOUNT = /^((?:\/[\w.~-]+)*\/realms\/[\w.~-]+)\/account$/

/** A host and a port, as a header has them. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** Gives the path of the issuer to which an endpoint at a path belongs; undefined where it is not there. */
export type PrefixOf = (path: string) => string | undefined

/** An endpoint below any issuer. */
export function belowIssuer(endpoint: string): PrefixOf {
  return (path) => {
    const prefix = path.slice(0, -endpoint.length)
    return path.endsWith(endpoint) && PREFIX.test(prefix) ? prefix : undefined
  }
}

/** That of the metadata, which has the issuer after it. */
export const inMetadata: PrefixOf = (path) => {
  const prefix = path.slice(SERVER_METADATA.length)
  return path.startsWith(SERVER_METADATA) && PREFIX.test(prefix) ? prefix : undefined
}

/** That of the profile of keycloak-js. */
export const inAccount: PrefixOf = (path) => ACCOUNT.exec(path)?.[1]

const ALL: readonly PrefixOf[] = [...Object.values(ENDPOINTS).map(belowIssuer), inMetadata, inAccount]

/**
 * The address below which a client knows the endpoints: the host and the path that it has asked.
 *
 * @param issuer the one that tokens name, if it is another one. Where it is at the same host, its scheme is what a client
 *   knows, although a proxy in front may ask by http.
 * @throws HttpError 400 for a host that is none
 */
export function issuerOf({ headers, originalUrl, socket }: HttpRequest, issuer?: string): string {
  const { host = '' } = headers
  if (!HOST.test(host)) throw badRequest('The Host header must be a name or an address, and maybe a port.')
  const [path = ''] = originalUrl.split('?')
  const [prefix = ''] = ALL.flatMap((prefixOf) => prefixOf(path) ?? [])
  const named = issuer === undefined ? undefined : new URL(issuer)
  const scheme = socket instanceof TLSSocket ? 'https:' : 'http:'
  return `${named?.host === host ? named.protocol : scheme}//${host}${prefix}`
}

const CLIENT_AUTHENTICATION = ['none', 'client_secret_basic', 'client_secret_post']

/**
 * What clients read first (OpenID Connect Discovery 1.0 section 3; RFC 8414 section 2).
 *
 * @param issuer what tokens name as their maker
 * @param address below which its endpoints are
 */
export function configuration(issuer: string, address: string): object {
  return {
    issuer,
    authorization_endpoint: address + ENDPOINTS.authorize,
    token_endpoint: address + ENDPOINTS.token,
    userinfo_endpoint: address + ENDPOINTS.userInfo,
    jwks_uri: address + ENDPOINTS.keys,
    end_session_endpoint: address + ENDPOINTS.logOut,
    check_session_iframe: address + ENDPOINTS.statusCheck,
    revocation_endpoint: address + ENDPOINTS.revoke,
    introspection_endpoint: address + ENDPOINTS.introspect,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post', 'web_message'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'phone', 'offline_access'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
