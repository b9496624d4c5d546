import type { AccountRoute } from '../auth/account-route'
import { soughtRoute } from '../auth/sought-route'
import { type Data, resourceNames } from '../data/valid-data'
import { guardAdvice } from '../http/guard-advice'
import { holdsSecret, isPlainName, shortened } from '../http/log/redact-target'
import { nearestName } from '../nearest-name'
import { resourcePath } from './addresses'
import { parameterNames, type Query } from './query-checks'

export interface MissingHintsOptions {
  /** Where one logs in and signs up. */
  accounts: readonly AccountRoute[]
  idProperty: string
}

/** A request for which there is nothing. */
export interface Missing {
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

/** Why there is nothing, by the first of the rows below that knows it. Each is certain, and says what has happened. */
export function missingHints(options: MissingHintsOptions): MissingHint {
  return (missing) => {
    const parts = missing.path.split('/').filter((part) => part !== '')
    const asked = { ...missing, ...options, parts }
    for (const row of ROWS) {
      const said = row(asked)
      if (said !== undefined) return said
    }
    return `there is no route for ${missing.method} here`
  }
}

type MissingRow = (asked: Missing & MissingHintsOptions & { parts: readonly string[] }) => string | undefined

const ROWS: readonly MissingRow[] = [
  // A part of it by itself may not look like one of a password.
  ({ path }) => (holdsSecret(path) ? 'there is nothing at this path' : undefined),
  ({ method, path, sent, found, accounts }) =>
    found === undefined ? soughtRoute({ method, path }, accounts, sent) : undefined,
  ({ parts: [first = '', id], found }) =>
    found === undefined && id !== undefined ? guardAdvice(first) : undefined,
  ({ nested }) => nested,
  ({ method, parts: [first, id, nested = '', ...deeper], found, state, prefix }) =>
    found === first && deeper.length < 2 && Array.isArray(state[nested])
      ? `through a record there are only GET and POST ${prefix}/${shortened(first)}/${shortened(id)}/${nested}, and GET of one of these: ` +
        `${method} ${prefix}/${nested}/${shortened(deeper[0] ?? ':id')}`
      : undefined,
  ({ parts: [, id], found, isHidden }) =>
    found !== undefined && id !== undefined && isHidden(id)
      ? `the record ${shortened(id)} in "${found}" belongs to somebody else`
      : undefined,
  ({ method, parts: [, id, nested], found, query, state, idProperty, prefix }) => {
    if (found === undefined || nested !== undefined) return undefined
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
  },
  ({ parts: [first = '', id = ''], found, state, prefix }) => {
    if (found !== undefined || first === '') return undefined
    const missing = `no "${shortened(first)}" in the data`
    if (Object.hasOwn(state, id))
      return `${missing}: the rewrite rule "/${shortened(first)}/*": "/$1" would lead to /${id}`
    const addresses = resourceNames(state)
      .map(resourcePath)
      .filter((address) => address !== undefined)
    const nearest = nearestName(shortened(first), addresses)
    return nearest === undefined ? missing : `${missing}: did you mean ${prefix}/${nearest}?`
  },
]
