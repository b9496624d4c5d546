import { namesHash } from '../auth/name-hashes'
import { type KnownUsers, mayLogIn, NOT_LET_IN, subjectOf } from '../auth/user-of-token'
import { sendUncached } from '../http/send-json'
import type { AccountSettings } from './account-settings'
import { fieldsIn } from './body'
import { claimsAbout } from './claims'
import type { Identify } from './identify'
import { type LoginProtocol, withChallenge } from './login-protocol'
import { RefusedLogin, sentenceAbout } from './refusals'

/** The logins of an application, as its options say. */
export function ownProtocol(
  settings: AccountSettings,
  identifyAmong: Identify,
  known: () => KnownUsers,
): LoginProtocol {
  const { fields, loginResponse, loginHeaders, meResponse, tokenClaims, loginRefusal } = settings
  const { accessCookies, refreshCookies } = settings
  return {
    async identify(sent, request) {
      const people = known()
      const groups = [people.loginUsers ?? [], people.logins]
      const identified = await identifyAmong(fieldsIn(sent, fields), groups, request)
      const { user } = identified
      return user === undefined || mayLogIn(user, people) ? identified : { reason: NOT_LET_IN, why: 'locked' }
    },
    claimsFor: (user) => ({
      ...claimsAbout(user, tokenClaims({ user }), fields),
      names_hash: namesHash(user, fields),
      sub: subjectOf(user, known()),
    }),
    loginBody: loginResponse,
    loginHeaders: (issued) => loginHeaders.map(([name, fill]) => [name, fill(issued)] as const),
    sendUser: (user, token, _request, response) => sendUncached(response, meResponse({ user, token })),
    refusal: ({ reason, why }, problem) =>
      new RefusedLogin({
        message: problem === undefined ? sentenceAbout(why) : `No login was read: ${problem}.`,
        reason: problem ?? reason,
        why,
        ...withChallenge(loginRefusal.status),
      }),
    errorBody: loginRefusal.body,
    hasCookies: accessCookies.length > 0 || refreshCookies.length > 0,
  }
}
