import { existsSync } from 'node:fs'
import { isServiceRequest } from '../auth/access-policy'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { ALL } from '../auth/allow-rules'
import { storedCredentials, whoCanLogIn } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { isLoopback } from '../http/loopback'
import { dataWarnings } from './data-warnings'
import type { Settings } from './flags/command-line'

/**
 * What a person should know even with `--quiet`, a sentence each.
 *
 * @param isStored whether several servers may share the data
 */
export function warnings(settings: Settings, state: Data, isStored = false): string[] {
  const {
    source,
    host,
    secret,
    publicCollection = false,
    static: folder,
    logins,
    allow,
    middlewares,
  } = settings
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
    isStored &&
      secret === undefined &&
      !allow.includes(ALL) &&
      'The other servers on this data will refuse the tokens of this one, and so will the next start: ' +
        'give all of them the same JWT_SECRET.',
    ...dataWarnings(state, source, settings.idProperty),
    ...allow.map(
      (rule) =>
        givesPasswords(rule, state) &&
        `--allow "${rule}" gives passwords to anybody. A middleware that leaves them out ` +
          'is not enough: they can be guessed by filters such as password_like.',
    ),
    ...allow.map((rule) => {
      const [method = '', path = ''] = rule.split(' ')
      return (
        isServiceRequest({ method, path }, Array.isArray(open) && publicCollection) &&
        `--allow "${rule}" changes nothing, because the server itself responds there: ` +
          "add --no-public for json-server's own list."
      )
    }),
    allow.includes(ALL) &&
      !isLoopback(host) &&
      `With --allow all and --host ${host}, everybody who reaches this server, and every web page that ` +
        'they open, can read and change all of the data.',
    allow.length > 0 &&
      middlewares.length > 0 &&
      'With --allow, your middlewares see requests without a token, whose req.auth is undefined: ' +
        'make sure that none of them takes that for somebody.',
  ].filter((warning) => warning !== false)
}

/** Whether a rule of `--allow` opens records that have passwords, by themselves or among all data. */
function givesPasswords(rule: string, state: Data): boolean {
  const [, name = ''] = /^GET \/([^/]+)/.exec(rule) ?? []
  const given = name === 'db' ? Object.values(state).flat() : state[name]
  return storedCredentials(given).length > 0
}
