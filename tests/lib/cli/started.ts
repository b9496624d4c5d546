import { allRoutes, readAccountRoutes } from '../../../lib/accounts/account-routes'
import { readLoginIf } from '../../../lib/accounts/login-if'
import { readAllowed } from '../../../lib/auth/allow-rules'
import { isFixed } from '../../../lib/auth/built-in-route'
import { PersonFields } from '../../../lib/auth/person-fields'
import type { Settings } from '../../../lib/cli/flags/command-line'
import type { Started } from '../../../lib/cli/started'
import type { Data } from '../../../lib/data/valid-data'
import { DEFAULTS } from '../../../lib/defaults'
import { NO_RULES, type RewriteRules } from '../../../lib/http/rewrite-rules'
import { readOwnerRules } from '../../../lib/json-server/owners/owner-rules'
import { rewriting } from '../../../middlewares/rewriter'
import { makeApp } from '../../support/built-in-routes'

/** A server that has started with these settings, as what the start says is made of it. */
export function startedFor(
  settings: Settings,
  state: Data,
  { rules = NO_RULES, faults = [] }: { rules?: RewriteRules; faults?: Started['faults'] } = {},
): Started {
  const { publicCollection, live = false, docs = false, login, signUp, me, refresh, logout } = settings
  const accounts = { login, signUp, me, refresh, logout }
  const { builtInRoutes } = makeApp({ data: state, publicCollection, live, docs, ...accounts })
  const { lead } = rewriting(rules, { isFixed: (request) => isFixed(builtInRoutes, request) })
  const allowed = readAllowed(settings.allow, lead)
  const accountRoutes = allRoutes(readAccountRoutes(accounts))
  const loginConditions = readLoginIf(settings.loginIf)
  const { loginUsers: users = DEFAULTS.loginUsers } = settings
  return {
    settings,
    state,
    builtInRoutes,
    accountRoutes,
    fields: new PersonFields(settings.loginFields),
    loginConditions,
    ownerRules: readOwnerRules(settings, { ...settings, users, data: state }),
    allowed,
    rules,
    faults,
    schemas: undefined,
  }
}
