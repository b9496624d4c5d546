import type { KnownUsers } from '../auth/user-of-token'
import { HttpError } from '../errors'
import { sendUncached } from '../http/send-json'
import type { AccountSettings } from './account-settings'
import { fieldsIn } from './body'
import { claimsAbout } from './claims'
import type { Identify } from './identify'
import { type LoginProtocol, withChallenge } from './login-protocol'

/** The logins of an application, as its options say. */
export function ownProtocol(
  settings: AccountSettings,
  identifyAmong: Identify,
  known: () => KnownUsers,
): LoginProtocol {
  const { fields, loginResponse, loginHeaders, meResponse, tokenClaims, loginRefusal } = settings
  return {
    identify(sent, request) {
      const { loginUsers = [], logins } = known()
      return identifyAmong(fieldsIn(sent, fields), [loginUsers, logins], request)
    },
    claimsOf: (user) => claimsAbout(user, tokenClaims({ user }), fields),
    loginBody: loginResponse,
    loginHeaders: (issued) => loginHeaders.map(([name, fill]) => [name, fill(issued)] as const),
    sendUser: (user, token, _request, response) => sendUncached(response, meResponse({ user, token })),
    refusal: (reason, problem) =>
      new HttpError({
        message: problem === undefined ? 'Wrong name or password.' : `No login was read: ${problem}.`,
        reason: problem ?? reason,
        ...withChallenge(loginRefusal.status),
      }),
    errorBody: loginRefusal.body,
    hasCookies: true,
  }
}
