import path from 'node:path'
import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import { isJsonFile } from '../data/open-data'
import type { Data } from '../data/valid-data'
import type { Settings } from './flags/command-line'

/**
 * A command that logs in, in whatever shell it is pasted, without a password that is not public; nothing when
 * nobody can log in, which is a warning.
 */
export function loginHelp({ source, cert, logins }: Settings, { users }: Data, url: string): string[] {
  const [user] = whoCanLogIn(users)
  const sample = sampleLogin(users)
  const [someone = sample ?? user] = logins
  if (someone === undefined) return []
  const email = `email:${quoted(someone.email)}`
  const isInFile = someone === user && Array.isArray(users) && isJsonFile(source)
  const known =
    someone === sample
      ? `{${email},password:${quoted(sample.password)}}`
      : // The password is read from the file when the line is run.
        isInFile && `require(${quoted(path.resolve(source))}).users[${users.indexOf(user)}]`
  const login = known || `{${email},password:process.argv[1]}`
  // Node does not trust a self-signed certificate.
  const trust = cert ? 'process.env.NODE_TLS_REJECT_UNAUTHORIZED=0;' : ''
  return [
    `Log in as ${someone.email} (paste this line${known ? '' : ', with the password in place of PASSWORD'})`,
    `  node -e "${trust}fetch('${url}${LOGIN_PATH}',{method:'POST',body:new URLSearchParams(${login})})` +
      `.then(response=>response.text()).then(console.log)"${known ? '' : ' PASSWORD'}`,
  ]
}

/** A string in JavaScript that no shell changes between double quotes. */
function quoted(text: string): string {
  const escaped = text.replace(
    /[^\w@.:/+ -]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `'${escaped}'`
}
