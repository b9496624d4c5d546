import { ALL, type Allowed, isAllowed } from '../../auth/allow-rules'
import { type Operation, sharedResponses } from '../../http/operations'
import { RELATIONS } from './shared-parts'

/** The requirement of an operation that needs a token. */
export const NEEDS_TOKEN = [{ bearerAuth: [] }]

/** Says whether an operation needs a token; one that is sent to what `--allow` names is checked, too. */
export function withSecurity(
  operation: Operation,
  method: string,
  path: string,
  allowed: Allowed,
): Operation {
  const { security, parameters } = operation
  const checked = { ...operation, responses: { ...sharedResponses(401), ...operation.responses } }
  if (security !== undefined) return security.length > 0 ? checked : operation
  if (allowed === ALL) return operation
  if (!isAllowed(allowed, method, path)) return checked
  // Relations read other collections, which still need a token.
  const own = parameters?.filter((parameter) => !RELATIONS.includes(parameter))
  return { ...checked, security: [], parameters: own }
}
