import { LOGIN_PATH, publicNames, publicReadAt } from '../auth/access-policy'
import { RECOMMENDED_SECRET_LENGTH } from '../auth/access-token'
import { hasPath } from '../auth/account-route'
import { ALL, isAllowed, readAllowed, rulesOf } from '../auth/allow-rules'
import { knownLogins } from '../auth/credentials'
import { PersonFields } from '../auth/person-fields'
import { isFor, type Service } from '../auth/service'
import { cookieName } from '../auth/token-places'
import { type Data, resourceNames } from '../data/valid-data'
import { DEFAULTS } from '../defaults'
import { isFolder } from '../files/is-folder'
import { isLoopback } from '../http/loopback'
import { NO_RULES, type RewriteRules } from '../http/rewrite-rules'
import { isRecord } from '../is-record'
import { addressOf, idOf, leadsToResource } from '../json-server/addresses'
import { holdsPassword } from '../labels'
import { nearestName } from '../nearest-name'
import { flagOf, readAccountRoutes } from '../options/accounts/account-routes'
import type { Settings } from './flags/command-line'

/** How many warnings a start prints: nobody reads more. */
const MOST_WARNINGS = 5

/** Where something does not do what it looks like, a sentence each: what opens data comes first. */
export function warnings(
  settings: Settings,
  state: Data,
  services: readonly Service[],
  { [LOGIN_PATH]: loginTarget }: RewriteRules = NO_RULES,
): string[] {
  const { source, host, secret, allow, allowedHosts, middlewares, publicCollection } = settings
  const allowed = readAllowed(allow)
  const { logins, loginUsers = DEFAULTS.loginUsers, static: folder, idProperty } = settings
  // People of any shape log in there.
  const hasOwnLogin = settings.login.length > 0 || settings.openid
  const signUp = settings.readOnly ? [] : settings.signUp
  const opensAll = allowed === ALL
  const peopleIn = peopleOutside(loginUsers, state, new PersonFields(settings.loginFields))
  const rules = rulesOf(allowed)
  const all = [
    // What opens data.
    opensAll &&
      (!isLoopback(host) || allowedHosts.includes(ALL)) &&
      'With --allow all, everybody who reaches this server, and every web page that they open, can read and change ' +
        'all of the data: check --host and --allow-host.',
    ...Object.keys(state).map(
      (name) =>
        (name === publicCollection ||
          [`/${name}`, `/${name}/1`, '/db'].some((path) => isAllowed(rules, 'GET', path))) &&
        havePasswords(state[name]) &&
        `Anybody can read the passwords in "${name}": check --public and --allow. A middleware that leaves them ` +
          'out is not enough, because they can be guessed by filters such as password_like.',
    ),
    settings.openid &&
      allowedHosts.includes(ALL) &&
      'With --openid and --allow-host all, every web page can have a code sent to itself, and log in as whoever has ' +
        'logged in with that browser: name hosts in place of all.',
    secret !== undefined &&
      Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH &&
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: give it a longer one.`,
    // `record.owner === req.auth?.email` is taken for safe, and is true where both are undefined.
    middlewares.length > 0 &&
      rules.length + signUp.length > 0 &&
      'With --allow or --sign-up, middlewares see requests without a token: there, req.auth is undefined.',
    // Who cannot log in. People may sign up, or log in to a middleware.
    !opensAll &&
      logins.length + signUp.length + knownLogins(state.users).length === 0 &&
      // The next one says where they could be.
      !(hasOwnLogin && (hasRecords(state[loginUsers]) || peopleIn !== undefined)) &&
      !rules.some(({ method }) => method === 'POST') &&
      `Nobody can log in: ${source} has no "users" with an "email" and a plain "password", both texts. ` +
        `Start with --user me:secret${
          hasRecords(state.users)
            ? `, or with --login ${LOGIN_PATH}, which takes usernames, numbers and hashes.`
            : peopleIn === undefined
              ? '.'
              : `, or with --login ${LOGIN_PATH}, and "login-users": "${peopleIn}" in json-server.json.`
        }`,
    (signUp.length > 0 || (hasOwnLogin && (settings.loginUsers ?? peopleIn) !== undefined)) &&
      !Array.isArray(state[loginUsers]) &&
      `${source} has no list "${loginUsers}", where --login and --sign-up look for people: ${
        peopleIn === undefined
          ? `it needs "${loginUsers}": [].`
          : `put "login-users": "${peopleIn}" into json-server.json.`
      }`,
    !opensAll &&
      middlewares.some((file) => /(^|[\\/])json-server-auth([\\/]|$)/.test(file)) &&
      'json-server-auth gives no login here, because its routes need a token of this server: keep it with ' +
        '--allow all, or leave it out, and start with --login /login --sign-up /register.',
    // What changes nothing.
    resourceNames(state).length === 0 &&
      `${source} has no collection, so there is nothing to read or change: write one, such as ${
        isFolder(source) ? 'posts.json with [] in it' : '{"posts": []}'
      }.`,
    publicCollection &&
      publicCollection !== DEFAULTS.publicCollection &&
      !Array.isArray(state[publicCollection]) &&
      `${source} has no collection "${publicCollection}" that could be public: check --public.`,
    folder !== undefined &&
      !isFolder(folder) &&
      `There is no folder ${folder}, so no files are served: check --static.`,
    ...rules.map(
      (rule) =>
        services.some((service) => service.isOpen && isFor(service, rule)) &&
        // There, a middleware of the user's comes first.
        !(rule.method === 'POST' && rule.path === LOGIN_PATH) &&
        `--allow "${rule.method} ${rule.path}" changes nothing, because the server itself responds there` +
          (publicCollection && publicReadAt(publicNames(publicCollection), rule.path)
            ? ": add --no-public for json-server's own list."
            : '.'),
    ),
    settings.signUp.length > signUp.length &&
      '--sign-up changes nothing with --read-only: nobody can sign up.',
    ...readAccountRoutes(settings).flatMap((route) =>
      resourceNames(state)
        .filter((name) => hasPath(route, `/${name}`))
        // There, a POST adds a user in any case.
        .filter((name) => route.does !== 'signUp' || name !== loginUsers)
        .map(
          (name) =>
            `${route.method} ${route.path} goes to ${flagOf(route)}, and no longer to "${name}": name another path, ` +
            'unless you mean this.',
        ),
    ),
    !opensAll &&
      !settings.openid &&
      !hasCookies(settings) &&
      allowedHosts.length > 0 &&
      '--allow-host changes nothing without --allow all, --openid, or a login by a cookie.',
    !settings.openid && settings.issuer !== undefined && '--issuer changes nothing without --openid.',
    loginTarget !== undefined &&
      `The rule "${LOGIN_PATH}" changes nothing, because no rule leads the login away: --login ${LOGIN_PATH} gives it ` +
        `another response, and --allow "POST ${LOGIN_PATH}" is for a middleware of yours.`,
    // A middleware may respond there.
    ...rules.map(({ method, path }) => {
      const [, first = ''] = path.split('/')
      const isKnown = leadsToResource(path, state) || services.some(({ hasPath }) => hasPath(path))
      if (isKnown || middlewares.length > 0) return false
      const nearest = nearestName(first, resourceNames(state))
      const advice = nearest === undefined ? 'check its name.' : `did you mean /${nearest}?`
      return `--allow "${method} ${path}" opens nothing, because the data has no "${first}": ${advice}`
    }),
    ...resourceNames(state).flatMap((name) => aboutRecords(name, state[name], idProperty)),
  ].filter((warning) => typeof warning === 'string')
  const more = all.length - MOST_WARNINGS
  return more > 0 ? [...all.slice(0, MOST_WARNINGS), `There are ${more} more: mend these first.`] : all
}

/** Whether tokens travel in cookies, which pages of other hosts may then use. */
function hasCookies({ tokenIn, refreshIn }: Settings): boolean {
  return [...tokenIn, refreshIn].some((place) => cookieName(place) !== undefined)
}

/** The collection of those who could log in, where it is not the one that is looked in. */
function peopleOutside(looked: string, state: Data, fields: PersonFields): string | undefined {
  const isPerson = (record: unknown) =>
    isRecord(record) && fields.namesOf(record).length > 0 && fields.passwordOf(record) !== ''
  return resourceNames(state).find((name) => {
    const records = state[name]
    return name !== looked && Array.isArray(records) && records.slice(0, 20).some(isPerson)
  })
}

function hasRecords(content: unknown): boolean {
  return Array.isArray(content) && content.length > 0
}

/** Whether a record of a resource has a text in a field whose name means a password. */
function havePasswords(content: unknown): boolean {
  const records: readonly unknown[] = Array.isArray(content) ? content : [content]
  // Many records have the same few names: each is looked at once. With `flatMap`, 100,000 records take 200 ms for 20.
  const names = new Set<string>()
  for (const record of records) if (isRecord(record)) for (const name in record) names.add(name)
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isSecret = (name: string) => records.some((record) => isRecord(record) && isText(record[name]))
  return [...names].filter(holdsPassword).some(isSecret)
}

/** What cannot be reached in a resource, or only in part. */
function aboutRecords(name: string, content: unknown, idProperty: string): (string | false)[] {
  if (addressOf(name) === undefined) return [`No address leads to "${name}": give it another name.`]
  const records = Array.isArray(content) ? content.filter(isRecord) : []
  let lost = 0
  let inexact: number | undefined
  let repeated: unknown
  const known = new Set<string | number>()
  for (const record of records) {
    const id = idOf(record, idProperty)
    const found = record[idProperty]
    if (id === undefined && typeof found === 'number') inexact ??= found
    else if (id === undefined) lost += 1
    // json-server compares ids as strings. The set does not grow by one that it has, and takes numbers in half the time.
    else if (known.size === known.add(isNumeral(id) ? Number(id) : id).size) repeated ??= id
  }
  return [
    lost > 0 &&
      `"${name}" has records without ${idProperty} (${lost} of ${records.length}), to which no address leads: give ` +
        'each one, or name their own by --id.',
    inexact !== undefined &&
      `"${name}" has the ${idProperty} ${inexact}, to which no address leads, because numbers over ` +
        `${Number.MAX_SAFE_INTEGER} are not exact: write it as a text, in quotes.`,
    repeated !== undefined &&
      `Several records of "${name}" have the ${idProperty} ${JSON.stringify(repeated)}: ` +
        'only the first of them can be read, changed or deleted by it.',
  ]
}

/** Whether a text is how JavaScript writes a number. */
function isNumeral(id: string | number): boolean {
  return typeof id === 'string' && String(Number(id)) === id
}
