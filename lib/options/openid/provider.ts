import type { DataAccounts } from '../../accounts/data-accounts'
import type { LoginProtocol } from '../../accounts/login-protocol'
import type { AllowedHosts } from '../../http/allowed-hosts'
import type { HttpRequest, HttpResponse } from '../../http/handler'
import type { Codes } from './codes'
import type { Signer } from './signer'

/** The accounts of some data, and who somebody is by a login of the application. */
export interface ProviderAccounts
  extends Pick<DataAccounts, 'authentication' | 'sessions' | 'known'>,
    Pick<LoginProtocol, 'identify' | 'claimsFor'> {}

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
export interface Realm extends Provider, ProviderAccounts {}

/** Responds to a request, whose body is parsed, or throws why not. */
export type RespondInRealm = (realm: Realm, request: HttpRequest, response: HttpResponse) => unknown
