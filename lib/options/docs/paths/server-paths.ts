import { WHO_AM_I_PATH } from '../../../auth/access-policy'
import { formatDuration } from '../../../format-duration'
import { NO_RULES, RULES_PATH } from '../../../http/rewrite-rules'
import type { Operations } from '../../docs-addition'
import type { DocumentContext } from '../context'
import server from '../templates/server.json'
import { template } from '../templates/template'
import { type Path, referTo, toPath } from '../types'

const fillPaths = template<Readonly<Record<string, Operations>>>(server.paths)

/** The login, who is logged in, and the pages about the server: its whole data, and its rules if any. */
export function serverPaths(context: DocumentContext): Path[] {
  const { resources, rules, sampleLogin, loginName, hasLogins, tokenLifetime } = context
  const users = resources.find(({ name, isCollection }) => name === 'users' && isCollection)
  const user = users && referTo('schemas', users.schemaName)
  const loginOnly = referTo('schemas', 'LoginOnly')
  const paths = fillPaths({
    ...(sampleLogin ?? { email: loginName ?? 'user@example.com', password: 'password' }),
    instead: sampleLogin ? '' : ': type yours instead of those shown',
    lifetime: formatDuration(tokenLifetime),
    whoIsLoggedIn: user && hasLogins ? { anyOf: [user, loginOnly] } : (user ?? loginOnly),
  })
  // A resource with this name has these paths.
  const isTaken = resources.some(({ name }) => name === 'auth')
  return Object.entries(paths)
    .filter(([path]) => !(path === RULES_PATH && rules === NO_RULES) && !(path === WHO_AM_I_PATH && isTaken))
    .map(toPath)
}
