import { ALL, type AllowRule, readAllowRule } from '../auth/allow-rules'
import { storedCredentials } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import { isLoopback } from '../http/loopback'
import type { Settings } from './flags/command-line'

/** What a person should know who has allowed requests without a token, a sentence each. */
export function allowWarnings(settings: Settings, state: Data): string[] {
  const { allow, middlewares, publicCollection, host } = settings
  const isOpen = allow.includes(ALL)
  const rules = isOpen ? [] : allow.map(readAllowRule)
  return [
    ...rules
      .filter((rule) => givesPasswords(rule, state))
      .map(
        ({ method, path }) =>
          `--allow "${method} ${path}" gives passwords to anybody. A middleware that leaves them out ` +
          'is not enough: they can be guessed by filters such as password_like.',
      ),
    ...rules
      .filter((rule) => isPublicRead(rule, publicCollection, state))
      .map(
        ({ method, path }) =>
          `--allow "${method} ${path}" changes nothing, because the public reads respond there: ` +
          "add --no-public for json-server's own list.",
      ),
    isOpen &&
      !isLoopback(host) &&
      `With --allow all and --host ${host}, everybody who reaches this server, and every web page that ` +
        'they open, can read and change all of the data.',
    allow.length > 0 &&
      middlewares.length > 0 &&
      'With --allow, your middlewares see requests without a token, whose req.auth is undefined: ' +
        'make sure that none of them takes that for somebody.',
  ].filter((warning) => warning !== false)
}

function givesPasswords({ method, path }: AllowRule, state: Data): boolean {
  const [, name = ''] = path.split('/')
  const given = name === 'db' ? Object.values(state) : [state[name]]
  return method === 'GET' && given.some((resource) => storedCredentials(resource).length > 0)
}

function isPublicRead({ method, path }: AllowRule, collection: string | false | undefined, state: Data) {
  const isPublic = collection && Array.isArray(state[collection])
  return isPublic && method === 'GET' && (path === `/${collection}` || path.startsWith(`/${collection}/`))
}
