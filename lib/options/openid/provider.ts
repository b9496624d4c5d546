import type { Claims, ExtraClaims, Token } from '../../auth/access-token'
import type { User } from '../../auth/person-fields'
import type { KnownUsers } from '../../auth/user-of-token'
import type { Visitors } from '../../auth/visitors'
import type { Refusal } from '../../errors'
import type { AllowedHosts } from '../../http/allowed-hosts'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import type { Codes } from './codes'
import type { Signer } from './signer'

/** The accounts of some data, as every login has them. */
export interface Accounts {
  readonly visitors: Visitors
  readonly sessions: {
    /** What every token says that is one of these sessions. */
    readonly claims: ExtraClaims
    /** Seconds that an access token lasts. */
    readonly lifetime: number
    /** Milliseconds since the epoch, by the clock of this data. */
    now(): number
    issue(
      claims: object,
      going: { readonly previous?: Claims; readonly by: 'client' | 'browser' },
    ): { readonly accessToken: string; readonly refreshToken: string }
    refusalOf(claims: Claims): Refusal | undefined
    readAccessToken(token: string): Token
    /** @param by who goes on with it: a client, or the browser that is logged in here */
    readRefreshToken(token: string, by: 'client' | 'browser'): Token
    use(claims: Claims): Refusal | undefined
    end(claims: Claims): void
    endBy(token: string): void
    hasMade(token: string): boolean
  }
  /** Who may log in, and whom a token may name, as they are now. */
  readonly known: () => KnownUsers
  /** Who has sent a name and a password, or why it is nobody, as a clause for the log. */
  identify(sent: unknown, request: HttpRequest): Promise<Identified>
  /** The claims of a token about somebody, beside those of the session. */
  claimsOf(user: User): object
}

interface Identified {
  readonly user?: User
  readonly reason?: string
  readonly passwords: readonly string[]
}

/** What all data of a server have in common. */
export interface Provider {
  readonly signer: Signer
  readonly codes: Codes
  /** Hosts to which a browser may be sent beside localhost. */
  readonly hosts: AllowedHosts
  /** What tokens say that has made them. Default: the address that was asked. */
  readonly issuer: string | undefined
}

/** A provider over some data. */
export interface Served extends Provider, Accounts {}

/** Responds to a request, whose body is parsed, or throws why not. */
export type Respond = (served: Served, request: HttpRequest, response: HttpResponse) => unknown
