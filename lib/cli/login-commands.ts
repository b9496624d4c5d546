import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import { fieldOf, PERSON_NAMES } from '../auth/user-fields'
import type { Data } from '../data/valid-data'
import { isRecord } from '../is-record'
import type { Settings } from './flags/command-line'

/** A shell, by how it writes a command. */
type Shell = 'sh' | 'powershell'

/** Somebody who can log in. */
interface Person {
  /** The field of the login's body that says who it is. */
  field: string
  name: string
  /** Undefined where it is not public: then a word stands in its place. */
  password: string | undefined
}

/** How somebody can log in. */
export interface LoginCommands extends Person {
  /** Lines to paste: the first keeps a token, the second reads with it. */
  lines: readonly string[]
}

/**
 * Commands that log in and read. They hold no password but the sample's and one that was typed on the command line.
 *
 * @param asked the address that is read
 * @param shell by default, the usual one
 * @returns undefined if nobody can log in, which is a warning
 */
export function loginCommands(
  settings: Settings,
  data: Data,
  { url, asked, shell = usualShell() }: { url: string; asked: string; shell?: Shell },
): LoginCommands | undefined {
  const person = findPerson(settings, data)
  if (person === undefined) return undefined
  const ownPath = ownLogin(settings)
  const login = url + (ownPath ?? LOGIN_PATH)
  const write = shell === 'sh' ? forSh : forPowerShell
  const lines = write({ ...person, login, asked, isOwn: ownPath !== undefined, trusts: !!settings.cert })
  return { ...person, lines }
}

/** The path of the application's own login, if it takes a POST. */
function ownLogin({ login }: Settings): string | undefined {
  return login.find((route) => /^(POST )?\//.test(route))?.replace('POST ', '')
}

/** Logins of the command line come first. */
function findPerson(settings: Settings, data: Data): Person | undefined {
  const { logins, typedLogin, loginUsers = 'users' } = settings
  const users = data[loginUsers]
  const [login] = logins
  if (login !== undefined) return { field: 'email', name: login.email, password: typedLogin?.password }
  const sample = sampleLogin(users)
  if (sample !== undefined) return { field: 'email', name: sample.email, password: sample.password }
  if (ownLogin(settings) === undefined) {
    const user = whoCanLogIn(data.users).find(({ email }) => isPrintable(email))
    return user && { field: 'email', name: user.email, password: undefined }
  }
  const people = (Array.isArray(users) ? users : [])
    .filter(isRecord)
    .flatMap((user) =>
      PERSON_NAMES.map((field) => ({ field, name: fieldOf(user, field), password: undefined })),
    )
  return people.find(({ name }) => name !== '' && isPrintable(name))
}

/**
 * Whether a text has neither characters that change what a terminal shows, nor halves of pairs, which no form
 * can hold: if `--allow` opens a POST, strangers write the data.
 */
function isPrintable(text: string): boolean {
  return !/\p{C}/u.test(text)
}

/** Git Bash, on Windows, sets SHELL. */
function usualShell(): Shell {
  return process.platform === 'win32' && process.env.SHELL === undefined ? 'powershell' : 'sh'
}

interface Commands extends Person {
  login: string
  asked: string
  /** Whether the login is the application's own, whose response can have any shape. */
  isOwn: boolean
  /** Whether the machine does not know the server's certificate. */
  trusts: boolean
}

/** For sh, bash and zsh. */
function forSh({ login, asked, field, name, password, isOwn, trusts }: Commands): string[] {
  // Without this flag, curl refuses a certificate that the machine does not know.
  const curl = trusts ? 'curl -k' : 'curl'
  const secret =
    password === undefined ? `--data-urlencode password='PASSWORD'` : `-d ${forForm('password', password)}`
  // Every token begins with these letters.
  const cut = isOwn ? `grep -o 'eyJ[^"]*' | head -n 1` : `cut -sd'"' -f4`
  return [
    `TOKEN=$(${curl} -s ${quoted(login)} -d ${forForm(field, name)} ${secret} | ${cut})`,
    `${curl} ${quoted(asked)} -H "Authorization: Bearer $TOKEN"`,
  ]
}

/** A field of a form, as a word for sh. */
function forForm(name: string, value: string): string {
  return quoted(`${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`)
}

/** A word for sh, in quotes if it has a character that a shell may change, as the collection `q&a` has. */
function quoted(word: string): string {
  return /^[\w.:/@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** For PowerShell, whose version 5 is that of Windows: there, `curl` is another command. */
function forPowerShell({ login, asked, field, name, password = 'PASSWORD', trusts }: Commands): string[] {
  // For PowerShell, each of these is a single quote, and a doubled one stands for itself.
  const inQuotes = (text: string) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  const skip = trusts ? ' -SkipCertificateCheck' : ''
  const body = `@{${field}=${inQuotes(name)}; password=${inQuotes(password)}}`
  return [
    `$TOKEN = (irm ${inQuotes(login)} -Method Post${skip} -Body ${body}).access_token`,
    `irm ${inQuotes(asked)} -Headers @{Authorization="Bearer $TOKEN"}${skip}`,
  ]
}
