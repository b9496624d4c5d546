import { LOGIN_PATH } from './access-policy'
import { type Allowed, isAllowed } from './allow-rules'
import { isForOpen, type Service } from './service'

/**
 * Whether a rewrite rule for exactly the login's path acts: only where it leads to another login of the server, or to
 * a request that needs no token. No rule may make the login unreachable (docs/promises.md, Login).
 *
 * @param target where the rule leads, perhaps with a query
 */
export function actsOnLogin(target: string, services: readonly Service[], allowed: Allowed): boolean {
  const [path = ''] = target.split('?')
  const request = { method: 'POST', path }
  return path !== LOGIN_PATH && (isForOpen(services, request) || isAllowed(allowed, request.method, path))
}
