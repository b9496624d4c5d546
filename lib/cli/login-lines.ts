import { LOGIN_RESPONSE } from '../accounts/account-settings'
import { knownLogins, sampleLogin } from '../auth/credentials'
import { isOtherHash } from '../auth/hash-pattern'
import { LOGIN_PATH } from '../auth/paths'
import type { PersonFields, User } from '../auth/person-fields'
import { cookieName } from '../auth/token-places'
import { isLetIn } from '../auth/user-of-token'
import { DEFAULTS } from '../defaults'
import { isObject, isRecord } from '../is-record'
import type { Settings } from './flags/command-line'
import { SHELLS, type TokenInResponse, usualShell } from './shell-lines'
import type { Started } from './started'

/** Who can log in, and how. */
type Logins = Pick<Started, 'settings' | 'state' | 'fields' | 'loginConditions'>

/** Somebody who can log in. */
interface Person {
  /** The field of the login's body that says who it is. */
  field: string
  name: string
  /** Undefined where it is not public: then a word stands in its place. */
  password?: string
}

/** Who signs up where nobody can log in yet. */
const NEW_PERSON: Person = { field: 'email', name: 'me@example.com', password: 'secret' }

/**
 * How to log in, or to sign up where nobody can log in yet, and read: what the lines do, and two of them to paste. They
 * hold no password but the sample's and one that was typed on the command line.
 *
 * @param asked the address that is read
 * @param shell by default, the usual one
 * @returns nothing if nobody can log in, which is a warning, or no response has a token
 */
export function loginLines(
  started: Logins,
  { url, asked, shell = usualShell() }: { url: string; asked: string; shell?: keyof typeof SHELLS },
): string[] {
  const { settings, state } = started
  const ownLogin = firstPath(settings.login)
  const known = findPerson(started, ownLogin !== undefined)
  const canSignUp = !settings.readOnly && Array.isArray(state[settings.loginUsers ?? DEFAULTS.loginUsers])
  const signUp = known === undefined && canSignUp ? firstPath(settings.signUp) : undefined
  const person = signUp === undefined ? known : NEW_PERSON
  const ownPath = signUp ?? ownLogin
  const token = ownPath === undefined ? SPECIFIED_PLACE : placeOfToken(settings)
  if (person === undefined || token === undefined) return []
  const { field, name, password = 'PASSWORD' } = person
  const isKnown = person.password !== undefined
  return [
    `${signUp === undefined ? 'Log in' : 'Sign up'} as ${name}${isKnown ? '' : ', with the password in place of PASSWORD'}, and list:`,
    ...SHELLS[shell]({
      url: url + (ownPath ?? LOGIN_PATH),
      asked,
      fields: signUp === undefined ? { [field]: name, password } : started.fields.sentBy(name, password),
      filledIn: isKnown ? undefined : 'password',
      hasCertificate: settings.cert !== undefined,
      token,
    }),
  ]
}

/** The first path of an application's own logins or sign-ups that takes a POST. */
function firstPath(routes: readonly string[]): string | undefined {
  return routes.find((route) => /^(POST )?\//.test(route))?.replace('POST ', '')
}

/**
 * What the page of `--docs` fills into a login, behind the `#` of its address, which no browser sends: the document
 * itself names nobody, because everybody can read it.
 *
 * @returns such as `#email=ann%40bikes.test`; an empty string where nobody is known, or the document shows the login
 */
export function loginFragment(started: Logins): string {
  const { settings, state } = started
  const person = findPerson(started, firstPath(settings.login) !== undefined)
  if (person === undefined || sampleLogin(state.users)?.email === person.name) return ''
  return `#${new URLSearchParams({ [person.field]: person.name })}`
}

/** Logins of the command line come first. */
function findPerson(
  { settings, state, fields, loginConditions }: Logins,
  isOwn: boolean,
): Person | undefined {
  const { logins, typedLogin, loginUsers = DEFAULTS.loginUsers } = settings
  const usersIn = (content: unknown) =>
    Array.isArray(content) ? content.filter(isRecord).filter((user) => isLetIn(user, loginConditions)) : []
  const users = usersIn(state[loginUsers])
  const sample = sampleLogin(users)
  const first = logins[0] ? { ...logins[0], password: typedLogin?.password } : sample
  if (first !== undefined && isShowable(first.email)) {
    const { email: name, password } = first
    return { field: 'email', name, ...(password !== undefined && isShowable(password) && { password }) }
  }
  const people = isOwn
    ? users.flatMap((user) => loginNames(user, fields))
    : knownLogins(usersIn(state.users)).map(({ email }) => ({ field: 'email', name: email }))
  return people.find(({ name }) => isShowable(name))
}

/**
 * Whether a text has no characters that change what a terminal shows, nor halves of pairs, which no form can hold: if
 * `--allow` opens a POST, strangers write the data.
 */
function isShowable(text: string): boolean {
  return /^\P{C}+$/u.test(text)
}

/** What somebody who has a password may log in by. */
function loginNames(user: User, fields: PersonFields): Person[] {
  const password = fields.passwordOf(user)
  if (password === '' || isOtherHash(password)) return []
  return fields.namesOf(user).map(({ name, text }) => ({ field: name, name: text }))
}

/** Where the specified login has it. */
const SPECIFIED_PLACE: TokenInResponse = { number: 1, path: ['access_token'] }

/**
 * Where the response of the application's own login has its token, or that a cookie holds it.
 *
 * @returns undefined where it has none
 */
function placeOfToken({ loginResponse = LOGIN_RESPONSE, tokenIn }: Settings): TokenInResponse | undefined {
  const tokens: string[] = JSON.stringify(loginResponse).match(/"\$(token|refresh)"/g) ?? []
  const number = tokens.indexOf('"$token"') + 1
  if (number > 0) return { number, path: pathOf(loginResponse, '$token') }
  // Its cookie is set before that of a refresh token.
  return tokenIn.some(cookieName) ? { number: 1 } : undefined
}

/** The path of a text in JSON; undefined where it is not there. */
function pathOf(json: unknown, text: string): Array<string | number> | undefined {
  if (json === text) return []
  if (!isObject(json)) return undefined
  for (const [name, value] of Object.entries(json)) {
    const path = pathOf(value, text)
    if (path) return [Array.isArray(json) ? Number(name) : name, ...path]
  }
  return undefined
}
