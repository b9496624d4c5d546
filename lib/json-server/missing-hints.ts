import type { AccountRoute } from '../auth/account-route'
import { soughtRoute } from '../auth/sought-route'
import { type Data, resourceNames } from '../data/valid-data'
import { guardAdvice } from '../http/guard-advice'
import { isPlainName, shortened } from '../http/log/redact-target'
import { isRead } from '../http/request'
import { nearestName } from '../nearest-name'
import { resourcePath } from './addresses'
import { asksForOne } from './own-filters'
import { parameterNames, type Query } from './query-checks'

interface MissingHintsOptions {
  /** Where one logs in and signs up. */
  accountRoutes: readonly AccountRoute[]
  idProperty: string
}

/** A request for which there is nothing. */
interface Missing {
  readonly method: string
  /** As the rewrite rules have left it, still encoded. */
  readonly path: string
  /** The target as it was sent, if they have changed it. */
  readonly sent: string | undefined
  /** What they have taken off in front of it: the application asks for all paths with that. */
  readonly prefix: string
  readonly query: Query
  readonly state: Data
  /** The name of the resource, if there is one. */
  readonly found: string | undefined
  /** Whether there is a record with an id that the request does not see. */
  readonly isHidden: (id: string) => boolean
  /** Why there is nothing nested in the data. */
  readonly nested: string | undefined
}

/** Says in the log why there is nothing: a clause. */
export type MissingHint = (missing: Missing) => string

type Asked = Missing & MissingHintsOptions & { parts: readonly string[] }

/** Why there is nothing. Each reason is certain, and says what has happened. */
export function missingHints(options: MissingHintsOptions): MissingHint {
  return (missing) => {
    const parts = missing.path.split('/').filter((part) => part !== '')
    const asked = { ...missing, ...options, parts }
    const { found, method } = missing
    const reason = found === undefined ? reasonWithoutResource(asked) : reasonInResource(found, asked)
    return reason ?? `there is no route for ${method} here`
  }
}

/** Why there is nothing where the first part of the path names no resource. */
function reasonWithoutResource(asked: Asked): string | undefined {
  const { method, path, sent, accountRoutes, nested, parts, state, prefix } = asked
  const [first = '', id] = parts
  const sought = soughtRoute({ method, path }, accountRoutes, sent)
  const known = sought ?? (id === undefined ? undefined : guardAdvice(first)) ?? nested
  if (known !== undefined || first === '') return known
  const missing = `no "${shortened(first)}" in the data`
  if (Object.hasOwn(state, id ?? ''))
    return `${missing}: the rewrite rule "/${shortened(first)}/*": "/$1" would lead to /${id}`
  const addresses = resourceNames(state)
    .map(resourcePath)
    .filter((address) => address !== undefined)
  const nearest = nearestName(shortened(first), addresses)
  return nearest === undefined ? missing : `${missing}: did you mean ${prefix}/${nearest}?`
}

/** Why there is nothing in a resource. */
function reasonInResource(found: string, asked: Asked): string | undefined {
  const { method, query, nested: reason, parts, state, idProperty, prefix, isHidden } = asked
  const [first, id, nested, ...deeper] = parts
  if (reason !== undefined) return reason
  const isList = id === undefined || nested !== undefined
  if (isList && isRead(asked) && asksForOne(query, []))
    return `no record in "${found}" has all that the query asks for`
  if (id !== undefined && isHidden(id))
    return `the record ${shortened(id)} in "${found}" belongs to somebody else`
  if (nested !== undefined)
    return found === first && deeper.length < 2 && Array.isArray(state[nested])
      ? `through a record there are only GET and POST ${prefix}/${shortened(first)}/${shortened(id)}/${nested}, and GET of one of these: ` +
          `${method} ${prefix}/${nested}/${shortened(deeper[0] ?? ':id')}`
      : undefined
  if (!Array.isArray(state[found]))
    return `"${found}" is one object, for GET, POST, PUT and PATCH ${prefix}/${found} alone`
  if (id === undefined) {
    const [sent = ''] = parameterNames(query[idProperty])
    return /^(?:PUT|PATCH|DELETE)$/.test(method)
      ? `the id belongs into the path: ${method} ${prefix}/${found}/${isPlainName(sent) ? sent : ':id'}`
      : undefined
  }
  return method === 'POST'
    ? `POST ${prefix}/${found} adds a record, PUT or PATCH ${prefix}/${found}/${shortened(id)} changes one`
    : `no record ${shortened(id)} in "${found}"`
}
