import { existsSync } from 'node:fs'
import { LOGIN_PATH } from '../auth/access-policy'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { ALL, isAllowed, rulesOf } from '../auth/allow-rules'
import { storedCredentials, whoCanLogIn } from '../auth/credentials'
import { actsOnLogin } from '../auth/login-rule'
import { isFor, type Service } from '../auth/service'
import { type Data, resourceNames } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { isLoopback } from '../http/loopback'
import { NO_RULES, type RewriteRules } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { hasAddress, idOf } from '../json-server/addresses'
import type { Settings } from './flags/command-line'

/** How many warnings a start prints: nobody reads more. */
const MOST_WARNINGS = 5

/** Where something does not do what it looks like, a sentence each: what opens data comes first. */
export function warnings(
  settings: Settings,
  state: Data,
  services: readonly Service[],
  rewriteRules: RewriteRules = NO_RULES,
): string[] {
  const all = [
    ...openings(settings, state),
    ...uselessLogins(settings, state),
    ...uselessSettings(settings, state, services, rewriteRules),
    ...uselessRecords(settings, state),
  ].filter((warning) => typeof warning === 'string')
  const more = all.length - MOST_WARNINGS
  return more > 0 ? [...all.slice(0, MOST_WARNINGS), `There are ${more} more: mend these first.`] : all
}

type Warning = string | false

/** What opens data. */
function openings(settings: Settings, state: Data): Warning[] {
  const { allowed, allowedHosts, host, publicCollection, middlewares, signUp, secret } = settings
  const rules = rulesOf(allowed)
  const reached = isLoopback(host) ? '--allow-host all' : `--host ${host}`
  const opened = Object.keys(state).filter(
    (name) =>
      storedCredentials(state[name]).length > 0 &&
      (name === publicCollection ||
        [`/${name}`, `/${name}/1`, '/db'].some((path) => isAllowed(rules, 'GET', path))),
  )
  const flag = rules.length > 0 ? '--allow' : '--sign-up'
  return [
    allowed === ALL &&
      (!isLoopback(host) || allowedHosts.includes(ALL)) &&
      `With --allow all and ${reached}, everybody who reaches this server, and every web page that they open, ` +
        'can read and change all of the data.',
    ...opened.map(
      (name) =>
        `Anybody can read the passwords in "${name}": check --public and --allow. A middleware that leaves them ` +
        'out is not enough, because they can be guessed by filters such as password_like.',
    ),
    secret !== undefined &&
      Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH &&
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: give it a longer one.`,
    // `record.owner === req.auth?.email` is taken for safe, and is true where both are undefined.
    middlewares.length > 0 &&
      rules.length + signUp.length > 0 &&
      `With ${flag}, middlewares see requests without a token: req.auth is undefined.`,
  ]
}

/** Who cannot log in. */
function uselessLogins(settings: Settings, state: Data): Warning[] {
  const { source, logins, login, signUp, allowed, middlewares } = settings
  const isOpen = allowed === ALL
  const hasUsers = Array.isArray(state.users) && state.users.length > 0
  return [
    !isOpen &&
      logins.length === 0 &&
      whoCanLogIn(state.users).length === 0 &&
      // People can sign up, or log in to a middleware.
      !rulesOf(allowed).some(({ method }) => method === 'POST') &&
      // Their users have other fields.
      login.length + signUp.length === 0 &&
      `Nobody can log in: ${source} has no "users" with an "email" and a plain "password", both texts. ` +
        `Start with --user me:secret${hasUsers ? `, or with --login ${LOGIN_PATH}, which takes usernames, numbers and hashes.` : '.'}`,
    !isOpen &&
      middlewares.some((file) => /(^|[\\/])json-server-auth([\\/]|$)/.test(file)) &&
      'json-server-auth gives no login here, because its routes need a token of this server: keep it with ' +
        '--allow all, or leave it out, and start with --login /login --sign-up /register.',
  ]
}

/** Flags and rules that change nothing. */
function uselessSettings(
  { source, publicCollection, static: folder, allowed, allowedHosts }: Settings,
  state: Data,
  services: readonly Service[],
  { [LOGIN_PATH]: loginTarget }: RewriteRules,
): Warning[] {
  return [
    !!publicCollection &&
      publicCollection !== DEFAULTS.publicCollection &&
      !Array.isArray(state[publicCollection]) &&
      `${source} has no collection "${publicCollection}" that could be public: check --public.`,
    folder !== undefined &&
      !existsSync(folder) &&
      `The static folder ${folder} does not exist, so no files are served: check --static.`,
    ...rulesOf(allowed).map(
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
  ]
}

/** What cannot be reached in the data, or only in part. */
function uselessRecords({ source, idProperty }: Settings, state: Data): Warning[] {
  const names = resourceNames(state)
  if (names.length === 0)
    return [`${source} has no resources: add a collection to it, for instance {"posts": []}.`]
  return names.flatMap((name) => {
    const content = state[name]
    const records = Array.isArray(content) ? content.filter(isRecord) : []
    const repeated = firstRepeated(records, idProperty)
    const lost = records.filter((record) => idOf(record, idProperty) === undefined)
    return [
      !hasAddress(name) &&
        `No address leads to "${name}" in ${source}: give it a name without such characters.`,
      lost.length > 0 &&
        `"${name}" has records without ${idProperty} (${lost.length} of ${records.length}), to which no address leads: ` +
          `${idOf(lost[0], '_id') === undefined ? 'give each one' : 'start with --id _id'}.`,
      repeated !== undefined &&
        `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
          'only the first of them can be read, changed or deleted by it.',
    ]
  })
}

/** The first id that an earlier record has as well: json-server compares ids as strings. */
function firstRepeated(records: readonly object[], idProperty: string): string | number | undefined {
  const known = new Set<string>()
  for (const record of records) {
    const id = idOf(record, idProperty)
    if (id === undefined) continue
    if (known.has(String(id))) return id
    known.add(String(id))
  }
  return undefined
}
