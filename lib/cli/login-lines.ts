import { knownLogins, sampleLogin } from '../auth/credentials'
import { LOGIN_PATH } from '../auth/paths'
import { PersonFields, type User } from '../auth/person-fields'
import { cookieName } from '../auth/token-places'
import type { Data } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { isRecord } from '../is-record'
import type { Settings } from './flags/command-line'

/** Whether the key `login-if` lets a record log in. */
type IsLetIn = (user: User) => boolean

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

/** What begins and ends a token, in a body and in a header: every token begins with the same letters. */
const TOKEN = `'eyJ[^";]*'`

/** How the shells write the same. In PowerShell 5, which is that of Windows, `curl` is another command. */
const SHELLS = {
  sh: {
    curl: 'curl',
    escaped: (word: string) => word.replaceAll("'", "'\\''"),
    keep: (command: string, number: number) => `TOKEN=$(${command} | grep -o ${TOKEN} | sed -n ${number}p)`,
  },
  powershell: {
    curl: 'curl.exe',
    // For PowerShell, each of these is a single quote.
    escaped: (word: string) => word.replace(/['\u2018-\u201b]/g, '$&$&'),
    keep: (command: string, number: number) =>
      `$TOKEN = [regex]::Matches("$(${command})", ${TOKEN})[${number - 1}].Value`,
  },
}

/**
 * How to log in, or to sign up where nobody can log in yet, and read: what the lines do, and two of them to paste. They
 * hold no password but the sample's and one that was typed on the command line.
 *
 * @param asked the address that is read
 * @param shell by default, the usual one
 * @returns nothing if nobody can log in, which is a warning, or no response has a token
 */
export function loginLines(
  settings: Settings,
  data: Data,
  {
    url,
    asked,
    isLetIn,
    shell = usualShell(),
  }: { url: string; asked: string; isLetIn?: IsLetIn; shell?: keyof typeof SHELLS },
): string[] {
  const ownLogin = firstPath(settings.login)
  const known = findPerson(settings, data, ownLogin !== undefined, isLetIn)
  const canSignUp = !settings.readOnly && Array.isArray(data[settings.loginUsers ?? DEFAULTS.loginUsers])
  const signUp = known === undefined && canSignUp ? firstPath(settings.signUp) : undefined
  const person = signUp === undefined ? known : NEW_PERSON
  const ownPath = signUp ?? ownLogin
  const place = ownPath === undefined ? { number: 1, isInHeader: false } : placeOfToken(settings)
  if (person === undefined || place === undefined) return []
  const { curl, escaped, keep } = SHELLS[shell]
  const quoted = (word: string) => (/^[\w.:/@%=-]+$/.test(word) ? word : `'${escaped(word)}'`)
  const form = (name: string, value: string) =>
    quoted(`${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`)
  const { field, name, password } = person
  const isKnown = password !== undefined
  // Without this flag, curl refuses a certificate that the machine does not know.
  const options = settings.cert ? ' -k' : ''
  const login = `${curl}${options} ${place.isInHeader ? '-is' : '-s'} ${quoted(url + (ownPath ?? LOGIN_PATH))}`
  const secret = isKnown ? `-d ${form('password', password)}` : "--data-urlencode 'password=PASSWORD'"
  return [
    `${signUp === undefined ? 'Log in' : 'Sign up'} as ${name}${isKnown ? '' : ', with the password in place of PASSWORD'}, and list:`,
    keep(`${login} -d ${form(field, name)} ${secret}`, place.number),
    `${curl}${options} ${quoted(asked)} -H "Authorization: Bearer $TOKEN"`,
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
export function loginFragment(settings: Settings, data: Data, isLetIn?: IsLetIn): string {
  const person = findPerson(settings, data, firstPath(settings.login) !== undefined, isLetIn)
  if (person === undefined || sampleLogin(data.users)?.email === person.name) return ''
  return `#${new URLSearchParams({ [person.field]: person.name })}`
}

/** Logins of the command line come first. */
function findPerson(
  settings: Settings,
  data: Data,
  isOwn: boolean,
  isLetIn: IsLetIn = () => true,
): Person | undefined {
  const { logins, typedLogin, loginUsers = DEFAULTS.loginUsers, loginFields } = settings
  const usersIn = (content: unknown) =>
    Array.isArray(content) ? content.filter(isRecord).filter((user) => isLetIn(user)) : []
  const users = usersIn(data[loginUsers])
  const [login] = logins
  const known = login ? { ...login, password: typedLogin?.password } : sampleLogin(users)
  if (known !== undefined) return { field: 'email', name: known.email, password: known.password }
  const people = isOwn
    ? users.flatMap((user) => loginNames(user, new PersonFields(loginFields)))
    : knownLogins(usersIn(data.users)).map(({ email }) => ({ field: 'email', name: email }))
  // No characters that change what a terminal shows, nor halves of pairs, which no form can hold: if `--allow` opens
  // a POST, strangers write the data.
  return people.find(({ name }) => /^\P{C}+$/u.test(name))
}

/** What somebody who has a password may log in by. */
function loginNames(user: User, fields: PersonFields): Person[] {
  if (fields.passwordOf(user) === '') return []
  return fields.namesOf(user).map(({ name, text }) => ({ field: name, name: text }))
}

/**
 * Where the response of the application's own login has its token: as which of the tokens there, or in a header,
 * because a cookie holds it.
 *
 * @returns undefined where it has none
 */
function placeOfToken({ loginResponse = '$token', tokenIn }: Settings) {
  const tokens: string[] = JSON.stringify(loginResponse).match(/"\$(token|refresh)"/g) ?? []
  const number = tokens.indexOf('"$token"') + 1
  if (number > 0) return { number, isInHeader: false }
  // Its cookie is set before that of a refresh token.
  return tokenIn.some(cookieName) ? { number: 1, isInHeader: true } : undefined
}

/** Git Bash, on Windows, sets SHELL. */
function usualShell(): keyof typeof SHELLS {
  return process.platform === 'win32' && process.env.SHELL === undefined ? 'powershell' : 'sh'
}
