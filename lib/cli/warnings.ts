import { existsSync } from 'node:fs'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { ALL } from '../auth/allow-rules'
import { storedCredentials, whoCanLogIn } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { allowWarnings } from './allow-warnings'
import { dataWarnings } from './data-warnings'
import type { Settings } from './flags/command-line'

/** What a person should know even with `--quiet`, a sentence each. */
export function warnings(settings: Settings, state: Data): string[] {
  const { source, secret, publicCollection, static: folder, logins, allow, idProperty } = settings
  const open = publicCollection ? state[publicCollection] : []
  return [
    !allow.includes(ALL) &&
      logins.length === 0 &&
      whoCanLogIn(state.users).length === 0 &&
      // People can sign up.
      !allow.includes('POST /users') &&
      `Nobody can log in: ${source} has no users with an email and a plain password. ` +
        'Start with --user name:password.',
    publicCollection !== DEFAULTS.publicCollection &&
      !Array.isArray(open) &&
      `${source} has no collection "${publicCollection}" that could be public: check --public.`,
    storedCredentials(open).length > 0 &&
      `The passwords in "${publicCollection}" can be read without a token: ` +
        'name another collection with --public, or use --no-public.',
    folder !== undefined &&
      !existsSync(folder) &&
      `The static folder ${folder} does not exist, so no files are served: check --static.`,
    secret !== undefined &&
      Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH &&
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: ` +
        'give it a longer one.',
    ...dataWarnings(state, source, idProperty),
    ...allowWarnings(settings, state),
  ].filter((warning) => warning !== false)
}
