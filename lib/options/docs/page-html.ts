import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LOGIN_PATH } from '../../auth/access-policy'
import { ALL, type Allowed } from '../../auth/allow-rules'
import { type Credentials, sampleLogin, whoCanLogIn } from '../../auth/credentials'
import { type Data, resourceNames } from '../../data/valid-data'

/** The page, with `{{names}}` in the places of what depends on the server. */
export const PAGE_FILE = path.join(__dirname, 'page/index.html')

/** With so many resources, their groups are closed at first, and there is a filter. */
const MANY = 12

export interface PageOptions {
  title: string
  data: Data
  /** Logins that are not in the data. */
  logins: readonly Credentials[]
  /** What needs no token beside the login and the public reads. */
  allowed: Allowed
}

/**
 * The page, with a login filled in. Everybody can read it, so it shows no password but the sample's, and no
 * email of a user in the data.
 *
 * @returns HTML
 */
export function pageHtml(options: PageOptions): string {
  const { title, data, logins, allowed } = options
  const sample = sampleLogin(data.users) ?? sampleLogin(logins)
  const values = new Map([
    ['title', title],
    ['loginPath', LOGIN_PATH.slice(1)],
    ['access', allowed === ALL ? 'open' : 'login'],
    ['email', sample?.email ?? logins[0]?.email ?? ''],
    ['password', sample?.password ?? ''],
    ['collections', resourceNames(data).length >= MANY ? 'many' : 'few'],
    ['howToLogIn', howToLogIn(options, sample)],
  ])
  return readFileSync(PAGE_FILE, 'utf8').replace(/\{\{(\w+)\}\}/g, (_all, name) =>
    escapeHtml(values.get(name) ?? ''),
  )
}

function howToLogIn({ data, logins, allowed }: PageOptions, sample: Credentials | undefined): string {
  if (allowed === ALL) return 'No request needs a login.'
  if (sample !== undefined) return 'Not logged in: the sample user is filled in.'
  if (logins.length > 0) return 'Not logged in: type the password that the server was started with.'
  if (whoCanLogIn(data.users).length > 0)
    return 'Not logged in: type the email and the password of a user in the data.'
  return 'Nobody can log in yet: start the server with --user name:password.'
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
