import { existsSync } from 'node:fs'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { whoCanLogIn } from '../auth/credentials'
import type { Data } from '../data/data-source'
import { DEFAULTS } from '../defaults'
import type { Settings } from './command-line'

/** What a person should know even with `--quiet`, a sentence each. */
export function warnings(
  { source, secret, publicCollection, static: folder, logins }: Settings,
  state: Data,
): string[] {
  const found: string[] = []
  if (logins.length === 0 && whoCanLogIn(state.users).length === 0) {
    found.push(
      `Nobody can log in: ${source} has no users with an email and a password. Start with --user name:password.`,
    )
  }
  if (
    publicCollection &&
    publicCollection !== DEFAULTS.publicCollection &&
    !Array.isArray(state[publicCollection])
  ) {
    found.push(`${source} has no collection "${publicCollection}" that could be public: check --public.`)
  }
  if (folder !== undefined && !existsSync(folder)) {
    found.push(`The static folder ${folder} does not exist, so no files are served: check --static.`)
  }
  if (secret !== undefined && Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH) {
    found.push(
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: give it a longer one.`,
    )
  }
  return found
}
