import { isCredentials } from '../auth/credentials'
import { isHash } from '../auth/hash-pattern'
import { fieldText } from '../auth/person-fields'
import { type KnownUsers, mayLogIn, NOT_LET_IN, subjectOf } from '../auth/user-of-token'
import { UnauthorizedError } from '../errors'
import { notesOf } from '../http/notes'
import { isRecord } from '../is-record'
import { responseWith } from '../json-server/response'
import type { Identified } from './identify'
import type { LoginProtocol } from './login-protocol'

/** Fields that applications send in place of the email. No other field that a request sent is ever printed. */
const OTHER_NAMES = ['username', 'login', 'user', 'mail']

/** Why a stored hash is refused, as a clause. */
const HASH_IS_NONE =
  'the password is the hash that is stored, and not its password: --login /auth/login compares those of bcrypt'

/**
 * The login as it is specified: an email and a password, both texts, that are those of one user
 * (docs/promises.md, Login). Options change two things of it: `login-if` says who may log in at all, and `--refresh` without a
 * login of the application adds a refresh token, which nobody would get otherwise. Everybody with a token can read a stored
 * hash, so it is the password of nobody.
 */
export function specifiedProtocol(known: () => KnownUsers): LoginProtocol {
  return {
    async identify(sent, request): Promise<Identified> {
      const people = known()
      if (!isCredentials(sent)) return { reason: whyNone(sent), why: 'unknown' }
      const { email, password } = sent
      notesOf(request).passwords = [password]
      const user = [...people.users, ...people.logins].find(
        (one) => isCredentials(one) && one.email === email && one.password === password,
      )
      if (!isRecord(user)) return { reason: 'no user has this email and this password', why: 'unknown' }
      if (isHash(password)) return { reason: HASH_IS_NONE, why: 'password' }
      return mayLogIn(user, people) ? { user } : { reason: NOT_LET_IN, why: 'locked' }
    },
    claimsFor(user) {
      const { email, password } = user
      // It says that this is a token of this login, also where a refresh finds a hash in its place, or none.
      const said = password === undefined || isHash(fieldText(password)) ? '' : password
      // Who has no id is found by both.
      return { email, password: said, sub: subjectOf(user, known()) || undefined }
    },
    loginBody: ({ token, refresh }) => ({ access_token: token, refresh_token: refresh }),
    loginHeaders: () => [],
    sendUser(user, _token, request, response) {
      responseWith(request, response, known().logins.includes(user) ? { email: user.email } : user)()
    },
    refusal: ({ reason }, problem) => new UnauthorizedError({ reason: problem ?? reason }),
    errorBody: undefined,
    hasCookies: false,
  }
}

/** Why a body has no email and password: a clause that holds no value that was sent. */
function whyNone(sent: unknown): string {
  const fields = isRecord(sent) ? sent : {}
  const other = 'email' in fields ? undefined : OTHER_NAMES.find((name) => name in fields)
  return other === undefined
    ? 'the body must have "email" and "password", both strings'
    : `the body has "${other}" instead of "email"`
}
