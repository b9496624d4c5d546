import path from 'node:path'
import { LOGIN_PATH } from '../auth/access-policy'
import { whoCanLogIn } from '../auth/credentials'
import { isJsonFile } from '../data/open-data'
import type { Data } from '../data/valid-data'
import type { Settings } from './flags/command-line'

/** A command that logs in, without a password in it; nothing when nobody can log in, which is a warning. */
export function loginHelp({ source, cert, logins }: Settings, { users }: Data, url: string): string[] {
  const [user] = whoCanLogIn(users)
  const [someone = user] = logins
  if (someone === undefined) return []
  // curl does not trust a self-signed certificate.
  const curl = `curl -s${cert === undefined ? '' : 'k'} ${url}${LOGIN_PATH}`
  const file = path.resolve(source)
  if (user !== undefined && isJsonFile(source) && !file.includes("'")) {
    const position = Array.isArray(users) ? users.indexOf(user) : 0
    // The password is read from the file when the line is run.
    const read = `node -p 'JSON.stringify(require(${JSON.stringify(file)}).users[${position}])'`
    return [
      `Log in as ${user.email} (paste this line)`,
      `  ${curl} -H 'Content-Type: application/json' -d "$(${read})"`,
    ]
  }
  const email = `email=${someone.email}`.replaceAll("'", `'\\''`)
  // Not every shell can read without showing what is typed (`read -s`).
  const ask = 'stty -echo; read -r PASSWORD; stty echo; echo'
  return [
    `Log in as ${someone.email} (paste this line, then type the password, which is not shown)`,
    `  ${ask}; ${curl} --data-urlencode '${email}' --data-urlencode "password=$PASSWORD"`,
  ]
}
