import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import type { Service } from '../auth/service'
import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/addresses'
import type { Settings } from './flags/command-line'
import { protectedPath } from './route-lists'
import { type Shell, shellLines, usualShell } from './shell-lines'

/** How somebody can log in. */
interface LoginHelp {
  /** Who logs in, and what to do before. */
  heading: string
  /** Lines to paste: they keep a token, read with it, and add a record. */
  lines: string[]
}

/**
 * Commands that log in and use the token, without a password that is not public; undefined when nobody can
 * log in, which is a warning.
 *
 * @param url where the server is
 * @param options `services`, of which one may have the path of a resource; `shell`, by default the usual one
 */
export function loginHelp(
  settings: Settings,
  data: Data,
  url: string,
  { services, shell = usualShell() }: { services: readonly Service[]; shell?: Shell },
): LoginHelp | undefined {
  const { cert, logins, readOnly, idProperty } = settings
  const sample = sampleLogin(data.users)
  const [someone = sample ?? whoCanLogIn(data.users).find(({ email }) => isPrintable(email))] = logins
  if (someone === undefined) return undefined
  const password = someone === sample ? sample.password : undefined
  const name = ownCollection(data)
  const asked = url + protectedPath(name ?? 'db', services)
  const field = name === undefined || readOnly ? undefined : textField(data[name], idProperty)
  const { email } = someone
  const lines = shellLines({ login: url + LOGIN_PATH, email, password, asked, field, trust: !!cert }, shell)
  const before = password === undefined ? ', with the password in place of PASSWORD' : ''
  return { heading: `Log in as ${email}${before}`, lines }
}

/** The first collection, but for the users: one that was added without a password could not log in. */
function ownCollection(data: Data): string | undefined {
  return resourceNames(data).find((name) => name !== 'users' && Array.isArray(data[name]) && hasAddress(name))
}

/** A field for the record that is added: the first with a text in the first record of a collection. */
function textField(collection: unknown, idProperty: string): string {
  const first: unknown = Array.isArray(collection) ? collection[0] : undefined
  const fields = Object.entries(isRecord(first) ? first : {})
    .filter(([name, value]) => typeof value === 'string' && isPrintable(name))
    .map(([name]) => name)
  return fields.find((name) => name !== idProperty) ?? 'title'
}

/**
 * Whether a text has neither characters that change what a terminal shows, nor halves of pairs, which no form
 * can hold: where `--allow` opens a POST, strangers write the data.
 */
function isPrintable(text: string): boolean {
  return !/\p{C}/u.test(text)
}
