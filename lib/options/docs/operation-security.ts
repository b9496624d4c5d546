import { ALL, type Allowed, isAllowed } from '../../auth/allow-rules'
import { type Operation, sharedResponses } from '../../http/operations'
import { pathMatcher } from '../../http/path-pattern'

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
  const address = path.replace('{id}', ':id')
  if (isAllowed(allowed, method, address)) {
    // Relations read other collections, which still need a token.
    const own = parameters?.filter(({ name }) => name !== '_embed' && name !== '_expand')
    return { ...checked, security: [], parameters: own }
  }
  const matches = pathMatcher(address)
  // A nested route leads to another resource than the one that its rule would name.
  const records = allowed.filter(
    (rule) => rule.method === method && address.endsWith('/:id') && matches(rule.path),
  )
  if (records.length === 0) return checked
  const description = `Without a token only for ${records.map((rule) => `\`${rule.path}\``).join(', ')}.`
  // The first entry says that it can be open without a token, and the second that a token opens it.
  return { ...checked, description, security: [{}, ...NEEDS_TOKEN] }
}
