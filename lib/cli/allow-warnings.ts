import { WHO_AM_I_PATH } from '../auth/access-policy'
import { ALL, type AllowRule, readAllowRule } from '../auth/allow-rules'
import { storedCredentials } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import { isLoopback } from '../http/loopback'
import type { Settings } from './flags/command-line'

/** What json-server's router does with a resource and with a record in it, by method. */
const METHODS = {
  collection: ['GET', 'POST'],
  record: ['GET', 'PUT', 'PATCH', 'DELETE'],
  singular: ['GET', 'POST', 'PUT', 'PATCH'],
  database: ['GET'],
} as const

/** What a person should know who has allowed requests without a token, a sentence each. */
export function allowWarnings(settings: Settings, state: Data): string[] {
  const { allow, middlewares, publicCollection, host } = settings
  const hasMiddlewares = middlewares.length > 0
  if (allow.includes(ALL))
    return [
      ...(isLoopback(host)
        ? []
        : [
            `With --allow all and --host ${host}, everybody who reaches this server, and every web page that ` +
              'they open, can read and change all of the data.',
          ]),
      ...(hasMiddlewares
        ? [
            'With --allow all, your middlewares see every request, and req.auth is undefined where there is no ' +
              'valid token: make sure that a check of roles refuses that.',
          ]
        : []),
    ]
  const rules = allow.map(readAllowRule)
  return [
    ...rules.filter((rule) => givesPasswords(rule, state)).map(passwordsSentence),
    // A middleware may respond to any path.
    ...(hasMiddlewares ? [] : rules.filter((rule) => !isServed(rule, state)).map(neverSentence)),
    ...rules.filter((rule) => isPublicRead(rule, publicCollection, state)).map(publicSentence),
    ...(hasMiddlewares && rules.length > 0
      ? [
          'With --allow, your middlewares see requests without a token, whose req.auth is undefined: ' +
            'make sure that none of them takes that for somebody.',
        ]
      : []),
  ]
}

function givesPasswords({ method, path }: AllowRule, state: Data): boolean {
  const [, name = ''] = path.split('/')
  const given = name === 'db' ? Object.values(state) : [state[name]]
  return method === 'GET' && given.some((resource) => storedCredentials(resource).length > 0)
}

function passwordsSentence(rule: AllowRule): string {
  return (
    `--allow "${written(rule)}" gives passwords to anybody. ` +
    'A middleware that leaves them out is not enough: they can be guessed by filters such as password_like.'
  )
}

/** Whether the router has something under this path that takes this method. */
function isServed({ method, path }: AllowRule, state: Data): boolean {
  const [, name = '', id, ...rest] = path.split('/')
  if (path === WHO_AM_I_PATH || rest.length > 0) return false
  const resource = Object.hasOwn(state, name) ? state[name] : undefined
  const kind = Array.isArray(resource)
    ? id === undefined
      ? 'collection'
      : 'record'
    : resource !== undefined && id === undefined
      ? 'singular'
      : undefined
  const methods: readonly string[] = kind ? METHODS[kind] : path === '/db' ? METHODS.database : []
  return methods.includes(method)
}

function neverSentence(rule: AllowRule): string {
  return (
    `--allow "${written(rule)}" never matches: there is no such resource. Name a resource of the data, ` +
    'or a record as /:id, by the path behind the rewrite rules.'
  )
}

function isPublicRead({ method, path }: AllowRule, collection: string | false | undefined, state: Data) {
  const isPublic = collection && Array.isArray(state[collection])
  return isPublic && method === 'GET' && (path === `/${collection}` || path.startsWith(`/${collection}/`))
}

function publicSentence(rule: AllowRule): string {
  return (
    `--allow "${written(rule)}" changes nothing, because the public reads respond there: ` +
    "add --no-public for json-server's own list."
  )
}

function written({ method, path }: AllowRule): string {
  return `${method} ${path}`
}
