import { createSecretKey, KeyObject, randomBytes } from 'node:crypto'
import type { JwtPayload } from 'jsonwebtoken'
import { invalidToken, type Refusal } from '../errors'
import { isRecord } from '../is-record'
import type { PublishedKey } from './published-key'

/** Loaded with the first token. */
export const jsonWebToken = (): typeof import('jsonwebtoken') => require('jsonwebtoken')

/** Bytes: HS256 requires a key at least as long as its hash (RFC 7518 section 3.2). */
export const RECOMMENDED_SECRET_LENGTH = 32

/** A signing secret: a string, or a key that was made from one. */
export type SigningKey = KeyObject | string

/**
 * The key that signs and verifies tokens, made once, because with a string jsonwebtoken takes about forty
 * times as long: it tries it as a public key first.
 *
 * @throws TypeError when there is no secret, or an empty one: tokens that anybody can sign are worse than
 *   none
 */
export function signingKey(secret: SigningKey): KeyObject {
  if (secret instanceof KeyObject) return secret
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The signing secret must be a string that is not empty, for instance that of JWT_SECRET.',
    )
  }
  return createSecretKey(Buffer.from(secret))
}

/** A key that nobody knows and that lasts as long as the process. */
export function randomSigningKey(): KeyObject {
  return createSecretKey(randomBytes(RECOMMENDED_SECRET_LENGTH))
}

/** The verified payload of an access token. */
export interface Claims extends JwtPayload {
  exp: number
  /** The sandbox in which the token was made, when it was made in one. */
  sandbox?: unknown
  /** Which sessions of one set of data it belongs to, once all have been ended. */
  series?: unknown
}

/** A token as it was sent, with its claims, or why it has none. */
export type Token =
  | { readonly text: string; readonly claims: Claims; readonly refusal?: undefined }
  | { readonly text?: undefined; readonly claims?: undefined; readonly refusal: Refusal }

/** What a token says in its header that it is (RFC 8725 section 3.11). `at+jwt` is an access token of `--openid` (RFC 9068). */
type TokenType = 'JWT' | 'refresh+jwt' | 'at+jwt'

/** Each type has one algorithm: a token's own header must never choose it (RFC 8725 section 3.1). */
const ALGORITHMS: Readonly<Record<TokenType, 'HS256' | 'ES256'>> = {
  JWT: 'HS256',
  'refresh+jwt': 'HS256',
  'at+jwt': 'ES256',
}

/** Three parts, of which the last is a signature of 32 or 64 bytes in base64url (RFC 7515 section 3.1). */
const FORM = /^[\w-]+\.[\w-]+\.(?:[\w-]{43}|[\w-]{86})$/

/** Whether a value has the form of a token, whoever has made it. */
function looksLikeToken(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value)
}

/** How many texts of one place are verified: an application sends one, and a browser a cookie for each path or domain. */
const MOST_VERIFIED = 8

/** The texts that may be tokens: the first few that have the form of one, equal ones once. A thousand would take 0.04 s. */
export function possibleTokens(texts: Iterable<unknown>): string[] {
  return [...new Set(texts)].filter(looksLikeToken).slice(0, MOST_VERIFIED)
}

/** A signed JWT with these claims (RFC 7519). */
export function signToken(claims: Claims, key: KeyObject, type: 'JWT' | 'refresh+jwt' = 'JWT'): string {
  return sign(claims, key, { typ: type })
}

/** The same with a key that clients can read (RFC 9068). */
export function signPublished(claims: Claims, { privateKey, kid }: PublishedKey): string {
  return sign(claims, privateKey, { typ: 'at+jwt', kid })
}

function sign(claims: Claims, key: KeyObject, header: { typ: TokenType; kid?: string }): string {
  const algorithm = ALGORITHMS[header.typ]
  return jsonWebToken().sign(claims, key, { algorithm, header: { alg: algorithm, ...header } })
}

const NOT_OURS =
  'this server did not make the token: its own have the algorithm HS256, or ES256 with --openid, and an expiry'

const OTHER_SECRET =
  'the token is signed with another secret (without JWT_SECRET, each start makes a new one)'

/** When a token must be valid: seconds since the epoch, or whenever that is or was, for one that must only have been made. */
type Moment = number | 'whenever'

/**
 * The claims of a token that is signed with the algorithm of its type and the key, has an expiry, and is valid at a moment.
 *
 * @param type what the key is for
 */
export function verifyToken(token: string, key: KeyObject, moment: Moment, type: TokenType = 'JWT'): Token {
  // What has not the form costs nothing, however often it is sent.
  if (!looksLikeToken(token)) return refused(formProblem(token))
  try {
    const times =
      moment === 'whenever' ? { ignoreExpiration: true, ignoreNotBefore: true } : { clockTimestamp: moment }
    const claims = jsonWebToken().verify(token, key, { algorithms: [ALGORITHMS[type]], ...times })
    return hasExpiry(claims) ? { text: token, claims } : refused(NOT_OURS)
  } catch (error) {
    return refused(refusalReason(error, token, type))
  }
}

/** The keys of access tokens. */
export interface AccessKeys {
  readonly secret: KeyObject
  /** That of the tokens of `--openid`; undefined without it. */
  readonly published?: PublishedKey | undefined
}

/** The claims of an access token of either kind. The key goes by what the token says that it is, and by the name of the key. */
export function verifyAccessToken(token: string, { secret, published }: AccessKeys, moment: Moment): Token {
  const { typ, kid } = published === undefined ? {} : headerOf(token)
  return published !== undefined && typ === 'at+jwt' && kid === published.kid
    ? verifyToken(token, published.publicKey, moment, 'at+jwt')
    : verifyToken(token, secret, moment)
}

/** What a token says that it is, whoever has made it. */
export function typeOfToken(token: string): unknown {
  return headerOf(token).typ
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const header: unknown = JSON.parse(String(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url')))
    return isRecord(header) ? header : {}
  } catch {
    // It only looks like one.
    return {}
  }
}

/** @param reason says nothing of what was sent */
function refused(reason: string): Token {
  return { refusal: invalidToken(reason) }
}

/** Why a text is no token: an application has sent a variable without a value, or a text as JSON. */
function formProblem(text: string): string {
  if (/^(?:undefined|null)$/.test(text))
    return `the token is the word ${text}: the login sends it as access_token`
  return /^["']/.test(text) ? 'the token stands in quotation marks: send it without them' : NOT_OURS
}

function refusalReason(error: unknown, token: string, type: TokenType): string {
  const { TokenExpiredError, NotBeforeError, JsonWebTokenError } = jsonWebToken()
  // Unlike `toISOString`, this gives null where another program has written a moment that no date can be.
  if (error instanceof TokenExpiredError) return `the token expired at ${error.expiredAt.toJSON()}`
  if (error instanceof NotBeforeError) return `the token is not valid before ${error.date.toJSON()}`
  const isForeign = error instanceof JsonWebTokenError && error.message === 'invalid signature'
  if (!isForeign) return NOT_OURS
  const isRefreshToken = typeOfToken(token) === 'refresh+jwt'
  if (isRefreshToken === (type === 'refresh+jwt')) return OTHER_SECRET
  return isRefreshToken ? 'it is a refresh token, which only a refresh takes' : 'it is no refresh token'
}

/** Without one, a token would be valid for good. */
function hasExpiry(payload: JwtPayload | string): payload is Claims {
  return typeof payload === 'object' && Number.isFinite(payload.exp)
}
