import { RECOMMENDED_SECRET_LENGTH } from '../../auth/access-token'
import { ALL, isAllowed, rulesOf } from '../../auth/allow-rules'
import { isLoopback } from '../../http/loopback'
import { isRecord } from '../../is-record'
import { holdsPassword } from '../../labels'
import type { Warnings } from './sentences'

/** What opens more than people may believe. */
export const openData: Warnings = ({ settings, state, allowed }) => {
  const { host, secret, allow, allowedHosts, middlewares, openid, publicCollection, readOnly, signUp } =
    settings
  const rules = rulesOf(allowed)
  const isPublic = (name: string) =>
    name === publicCollection ||
    [`/${name}`, `/${name}/1`, '/db'].some((path) => isAllowed(rules, 'GET', path))
  return [
    allow === ALL &&
      (!isLoopback(host) || allowedHosts.includes(ALL)) &&
      'With --allow all, everybody who reaches this server, and every web page that they open, can read and change ' +
        'all of the data: check --host and --allow-host.',
    ...Object.keys(state)
      .filter((name) => isPublic(name) && havePasswords(state[name]))
      .map(
        (name) =>
          `Anybody can read the passwords in "${name}": check --public and --allow. A middleware that leaves them ` +
          'out is not enough, because they can be guessed by filters such as password_like.',
      ),
    openid &&
      allowedHosts.includes(ALL) &&
      'With --openid and --allow-host all, every web page can have a code sent to itself, and log in as whoever has ' +
        'logged in with that browser: name hosts in place of all.',
    secret !== undefined &&
      Buffer.byteLength(secret) < RECOMMENDED_SECRET_LENGTH &&
      `JWT_SECRET is shorter than ${RECOMMENDED_SECRET_LENGTH} bytes and can be guessed: give it a longer one.`,
    // `record.owner === req.auth?.email` is taken for safe, and is true where both are undefined.
    middlewares.length > 0 &&
      rules.length + (readOnly ? 0 : signUp.length) > 0 &&
      'With --allow or --sign-up, middlewares see requests without a token: there, req.auth is undefined.',
  ]
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
