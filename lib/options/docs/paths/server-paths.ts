import { USER_LOOKUP_PATH, WHO_AM_I_PATH } from '../../../auth/access-policy'
import { formatDuration } from '../../../auth/format-duration'
import { NO_RULES, RULES_PATH } from '../../../http/rewrite-rules'
import type { DocumentContext } from '../context'
import server from '../templates/server.json'
import { template } from '../templates/template'
import { HERE, type Path, referTo } from '../types'

const { [USER_LOOKUP_PATH]: LOOKUP, ...OTHERS } = server.paths
const fillPaths = template(OTHERS)

/** The user lookup service. It is ahead of the rewriter, so that no rule can give it another path. */
export const LOOKUP_PATH: Path = { path: USER_LOOKUP_PATH, operations: LOOKUP, servers: [HERE] }

/** The login, who is logged in, and the pages about the server: its whole data, and its rules if any. */
export function serverPaths(context: DocumentContext): Path[] {
  const { resources, rules, sampleLogin, loginName, hasLogins, tokenLifetime } = context
  const paths = fillPaths({
    ...(sampleLogin ?? { email: loginName ?? 'user@example.com', password: 'password' }),
    instead: sampleLogin ? '' : ': type yours instead of those shown',
    lifetime: formatDuration(tokenLifetime),
  })
  const users = resources.find(({ name, isCollection }) => name === 'users' && isCollection)
  const who = [
    ...(users ? [referTo('schemas', users.schemaName)] : []),
    ...(users && !hasLogins ? [] : [referTo('schemas', 'LoginOnly')]),
  ]
  const [schema = {}] = who.length > 1 ? [{ anyOf: who }] : who
  paths[WHO_AM_I_PATH].get.responses[200].content['application/json'].schema = schema
  const absent = [
    ...(rules === NO_RULES ? [RULES_PATH] : []),
    // A resource with this name has these paths.
    ...(resources.some(({ name }) => name === 'auth') ? [WHO_AM_I_PATH] : []),
  ]
  return Object.entries(paths)
    .filter(([path]) => !absent.includes(path))
    .map(([path, operations]) => ({ path, operations }))
}
