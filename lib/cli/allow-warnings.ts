import { type AllowRule, readAllowRule } from '../auth/allow-rules'
import { storedCredentials } from '../auth/credentials'
import type { Data } from '../data/valid-data'
import type { Settings } from './flags/command-line'

/** What a person should know who has allowed requests without a token, a sentence each. */
export function allowWarnings({ allow, middlewares, publicCollection }: Settings, state: Data): string[] {
  const rules = allow.map(readAllowRule)
  const hasMiddlewares = middlewares.length > 0
  return [
    ...rules.filter((rule) => givesPasswords(rule, state)).map(passwordsSentence),
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
