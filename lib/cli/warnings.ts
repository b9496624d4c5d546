import { existsSync } from 'node:fs'
import { LOGIN_PATH } from '../auth/access-policy'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { ALL, isAllowed, rulesOf } from '../auth/allow-rules'
import { storedCredentials, whoCanLogIn } from '../auth/credentials'
import { actsOnLogin } from '../auth/login-rule'
import { isFor, type Service } from '../auth/service'
import type { Data } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { isLoopback } from '../http/loopback'
import { NO_RULES, type RewriteRules } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { dataWarnings } from './data-warnings'
import type { Settings } from './flags/command-line'

/** What a person should know even with `--quiet`, a sentence each. */
export function warnings(
  settings: Settings,
  state: Data,
  services: readonly Service[],
  rewriteRules: RewriteRules = NO_RULES,
): string[] {
  const {
    source,
    host,
    secret,
    publicCollection,
    static: folder,
    logins,
    allowed,
    allowedHosts,
    middlewares,
  } = settings
  const rules = rulesOf(allowed)
  const { [LOGIN_PATH]: loginTarget } = rewriteRules
  return [
    logins.length === 0 &&
      whoCanLogIn(state.users).length === 0 &&
      allowed !== ALL &&
      // People can sign up, or log in to a middleware.
      !rules.some(({ method }) => method === 'POST') &&
      // Their users have other fields.
      settings.login.length + settings.signUp.length === 0 &&
      `Nobody can log in: ${whyNobody(state, source)} Start with --user name:password.`,
    allowed !== ALL &&
      middlewares.some((file) => /(^|[\\/])json-server-auth([\\/]|$)/.test(file)) &&
      'json-server-auth gives no login here, because its routes need a token of this server: keep it with ' +
        '--allow all, or leave it out, and start with --login /login --sign-up /register.',
    publicCollection &&
      publicCollection !== DEFAULTS.publicCollection &&
      !Array.isArray(state[publicCollection]) &&
      `${source} has no collection "${publicCollection}" that could be public: check --public.`,
    folder !== undefined &&
      !existsSync(folder) &&
      `The static folder ${folder} does not exist, so no files are served: check --static.`,
    secret !== undefined &&
      Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH &&
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: ` +
        'give it a longer one.',
    ...dataWarnings(state, source, settings.idProperty),
    ...openPasswords(settings, state).map(
      (name) =>
        `Anybody can read the passwords in "${name}": check --public and --allow. A middleware that leaves them ` +
        'out is not enough, because they can be guessed by filters such as password_like.',
    ),
    ...rules.map(
      (rule) =>
        services.some((service) => service.isOpen && isFor(service, rule)) &&
        // There, a middleware of the user's comes first.
        !(rule.method === 'POST' && rule.path === LOGIN_PATH) &&
        `--allow "${rule.method} ${rule.path}" changes nothing, because the server itself responds there: ` +
          "add --no-public for json-server's own list.",
    ),
    allowed !== ALL && allowedHosts.length > 0 && '--allow-host changes nothing without --allow all.',
    loginTarget !== undefined &&
      !actsOnLogin(loginTarget, services, allowed) &&
      `The rule "${LOGIN_PATH}" changes nothing, because the server itself responds there: add --login ${loginTarget}, ` +
        `or --allow "POST ${loginTarget}" for a middleware of yours.`,
    allowed === ALL &&
      (!isLoopback(host) || allowedHosts.includes('all')) &&
      `With --allow all and ${isLoopback(host) ? '--allow-host all' : `--host ${host}`}, everybody who reaches this server, and every web page that ` +
        'they open, can read and change all of the data.',
  ].filter((warning) => typeof warning === 'string')
}

/** Why no user can log in: a hash is compared as the text that it is, which nobody types. */
function whyNobody(state: Data, source: string): string {
  if (storedCredentials(state.users).length > 0)
    return `the passwords in ${source} are hashed, which a login by --login ${LOGIN_PATH} compares.`
  const users = Array.isArray(state.users) ? state.users.filter(isRecord) : []
  if (users.some(({ username }) => username !== undefined))
    return `the users in ${source} have a "username" in place of an "email", which a login by --login ${LOGIN_PATH} takes.`
  if (users.some(({ email, password }) => email !== undefined && typeof password === 'number'))
    return `the passwords in ${source} must be strings, in quotes.`
  const other = Object.keys(state).find((name) => storedCredentials(state[name]).length > 0)
  return other === undefined
    ? `${source} has no users with an email and a plain password.`
    : `the users in ${source} are in "${other}", and must be in "users".`
}

/** The collections with passwords whose records need no token, by themselves or among all data. */
function openPasswords({ publicCollection, allowed }: Settings, state: Data): string[] {
  const rules = rulesOf(allowed)
  return Object.keys(state).filter(
    (name) =>
      storedCredentials(state[name]).length > 0 &&
      (name === publicCollection ||
        [`/${name}`, `/${name}/1`, '/db'].some((path) => isAllowed(rules, 'GET', path))),
  )
}
