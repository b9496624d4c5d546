import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import type { Settings } from './flags/command-line'

/** How somebody can log in. */
export interface LoginHelp {
  /** Who logs in, and what to do before. */
  heading: string
  /** A line for any shell. */
  command: string
}

/**
 * A command that logs in, without a password that is not public; undefined when nobody can log in, which is a
 * warning.
 */
export function loginHelp({ cert, logins }: Settings, { users }: Data, url: string): LoginHelp | undefined {
  const sample = sampleLogin(users)
  const [someone = sample ?? whoCanLogIn(users)[0]] = logins
  if (someone === undefined) return undefined
  const { email } = someone
  const isSample = someone === sample
  const password = isSample ? encode(sample.password) : 'PASSWORD'
  // In PowerShell 5, the one of Windows, `curl` alone is another command.
  const curl = process.platform === 'win32' ? 'curl.exe' : 'curl'
  // Without this flag, curl refuses a certificate that the machine does not know.
  const trust = cert ? ' -k' : ''
  return {
    heading: `Log in as ${email}${isSample ? '' : ', with the password in place of PASSWORD'}`,
    command: `${curl}${trust} ${url}${LOGIN_PATH} -d email=${encode(email)} -d password=${password}`,
  }
}

/** A value of a form, of characters that no shell changes outside of quotes. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@')
}
