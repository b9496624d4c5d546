import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import { isTaken, type Service } from '../auth/service'
import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/has-address'
import type { Settings } from './flags/command-line'
import { type Shell, shellLines, usualShell } from './shell-lines'

/** How somebody can log in. */
export interface LoginHelp {
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
  const { cert, logins, readOnly } = settings
  const sample = sampleLogin(data.users)
  const [someone = sample ?? whoCanLogIn(data.users)[0]] = logins
  if (someone === undefined) return undefined
  const password = someone === sample ? sample.password : undefined
  const { name, isCollection } = whatToAskFor(data)
  // Behind the token check, a public list is at another path.
  const asked = `${url}/${name}${isTaken(services, { path: `/${name}` }) ? '/' : ''}`
  // A user without a password could not log in.
  const canAdd = isCollection && name !== 'users' && !readOnly
  const field = canAdd ? fieldOf(data[name]) : undefined
  const { email } = someone
  const lines = shellLines({ login: url + LOGIN_PATH, email, password, asked, field, trust: !!cert }, shell)
  const before = password === undefined ? ', with the password in place of PASSWORD' : ''
  return { heading: `Log in as ${email}${before}`, lines }
}

/** A resource to read: a collection of one's own rather than the users, and all data where there is none. */
function whatToAskFor(data: Data): { name: string; isCollection: boolean } {
  const names = resourceNames(data).filter(hasAddress)
  const collections = names.filter((name) => Array.isArray(data[name]))
  const [name = collections[0] ?? names[0]] = collections.filter((collection) => collection !== 'users')
  return name === undefined
    ? { name: 'db', isCollection: false }
    : { name, isCollection: Array.isArray(data[name]) }
}

/** A field to fill in, as the first record of a collection has it: a name or a title, or another text. */
function fieldOf(collection: unknown): string {
  const first: unknown = Array.isArray(collection) ? collection[0] : undefined
  const fields = Object.entries(isRecord(first) ? first : {})
    .filter(([name, value]) => typeof value === 'string' && /^[a-z]\w*$/i.test(name))
    .map(([name]) => name)
  return fields.find((name) => /^(title|name|text)$/.test(name)) ?? fields.find(isNoId) ?? 'title'
}

function isNoId(name: string): boolean {
  return !/id$/i.test(name)
}
