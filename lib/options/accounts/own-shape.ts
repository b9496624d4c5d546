import type { KnownUsers } from '../../auth/user-of-token'
import { HttpError } from '../../errors'
import type { AccountSettings } from './account-settings'
import { fieldsIn } from './body'
import { claimsAbout } from './claims'
import { sendUncached } from './issue'
import { type Shape, withChallenge } from './shape'

/** The logins of an application, as its options say. */
export function ownShape(settings: AccountSettings, known: () => KnownUsers): Shape {
  const {
    fields,
    identify,
    loginResponse,
    loginHeaders,
    meResponse,
    tokenClaims,
    refusalStatus,
    refusalBody,
  } = settings
  return {
    identify(sent, request) {
      const { loginUsers = [], logins } = known()
      return identify(fieldsIn(sent, fields), [loginUsers, logins], request)
    },
    claimsOf: (user) => claimsAbout(user, tokenClaims({ user }), fields),
    loginBody: loginResponse,
    loginHeaders: (issued) => loginHeaders.map(([name, fill]) => [name, fill(issued)] as const),
    sendUser: (user, token, _request, response) => sendUncached(response, meResponse({ user, token })),
    refusal: (reason, problem) =>
      new HttpError({
        message: problem === undefined ? 'Wrong name or password.' : `No login was read: ${problem}.`,
        reason: problem ?? reason,
        ...withChallenge(refusalStatus),
      }),
    errorBody: refusalBody,
    hasCookies: true,
  }
}
