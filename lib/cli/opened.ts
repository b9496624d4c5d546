import { isForAccount, isOpen } from '../auth/account-route'
import { type AllowRule, rulesOf } from '../auth/allow-rules'
import { isFor } from '../auth/built-in-route'
import { pathMatcher } from '../http/path-pattern'
import type { RequestLine } from '../http/request'
import { NO_RULES, RULES_PATH } from '../http/rewrite-rules'
import { leadsToResource } from '../json-server/addresses'
import { isAnswer } from '../options/faults/fault-rule'
import type { Started } from './started'
import { closedByOwners } from './warnings/owned-records'

/** The rules of `--allow` that open something beside what the server itself responds to. */
export function openingRules(started: Started): AllowRule[] {
  const closed = closedByOwners(started)
  return rulesOf(started.allowed).filter(
    (rule) => !isTakenByServer(rule, started) && !closed.includes(rule) && leadsSomewhere(rule, started),
  )
}

/** Whether the server itself responds there without a token, whatever is allowed. */
export function isTakenByServer(rule: AllowRule, { builtInRoutes }: Started): boolean {
  return builtInRoutes.some((route) => route.isOpen && isFor(route, rule))
}

/** Whether it is for a login, a refresh or a logout, to which a middleware of the user's may then respond. */
export function isForMiddleware(rule: AllowRule, { settings, accountRoutes }: Started): boolean {
  const route = accountRoutes.find((one) => isForAccount(one, rule))
  return settings.middlewares.length > 0 && route !== undefined && isOpen(route) && route.does !== 'signUp'
}

/** Whether a resource, an answer of `--faults`, or a middleware may be there. */
export function leadsSomewhere(
  { lines }: AllowRule,
  { settings, state, builtInRoutes, rules, faults }: Started,
): boolean {
  if (settings.middlewares.length > 0) return true
  const isAnswered = ({ method, path }: RequestLine) =>
    faults.some(
      (rule) => isAnswer(rule) && (rule.method ?? method) === method && pathMatcher(rule.path)(path),
    )
  return lines.some(
    (line) =>
      leadsToResource(line.path, state) ||
      builtInRoutes.some(({ hasPath }) => hasPath(line.path)) ||
      (rules !== NO_RULES && line.path === RULES_PATH) ||
      isAnswered(line),
  )
}
