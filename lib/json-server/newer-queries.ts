import type { Response } from 'express'
import pluralize from 'pluralize'
import { keepReason } from '../http/log/line-notes'
import { redactTarget } from '../http/log/redact-target'
import type { CollectionIndex } from './collection-index'
import type { Query } from './query-checks'

/** What to write here, behind the field, for the operators of json-server 1.0 that 0.17 does not have. */
const NEW_OPERATORS = {
  lt: '_lte (which includes the value)',
  gt: '_gte (which includes the value)',
  contains: '_like',
  startsWith: '_like=^...',
  endsWith: '_like=...$',
}

/** The same for all of its operators. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...NEW_OPERATORS,
  lte: '_lte',
  gte: '_gte',
  eq: '',
  ne: '_ne',
  in: ' (once for each value)',
}

/** json-server 1.0's `views:gt`, and `views_gt` of its first versions: `views_gte` means the same here. */
const CONDITION = new RegExp(
  String.raw`^(?<field>[\w$.-]+?)(?::(?:${anyOf(OPERATORS)})|_(?:${anyOf(NEW_OPERATORS)}))$`,
)

/** The part of a regular expression that matches each of these names. */
function anyOf(operators: object): string {
  return Object.keys(operators).join('|')
}

/** How many parameters one line of the log explains. */
const MOST_EXPLAINED = 3

/**
 * The parameters of json-server 1.0 in a query, which are ignored here, as by json-server 0.17.
 *
 * @returns names of parameters
 */
function newerParameters(query: Query): string[] {
  return Object.keys(query).filter((name) => {
    if (name === '_per_page' || name === '_where' || name === '_embed') return true
    return name === '_sort' ? /(^|,)-/.test(String(query._sort)) : CONDITION.test(name)
  })
}

/** What the parameters are compared with. */
interface Compared {
  /** Of the collection that is read. */
  index: CollectionIndex
  hasResource: (name: string) => boolean
  /** Whether a list was asked for: for one record, only relations matter. */
  isList: boolean
}

/**
 * Lets the server's log say what to write here in place of the parameters of json-server 1.0. It repeats no
 * value, because that may be a secret.
 *
 * @see https://github.com/typicode/json-server/blob/main/README.md
 */
export function explainIgnored(query: Query, response: Response, compared: Compared): void {
  const newer = newerParameters(query)
  if (newer.length === 0) return
  // The log comes after json-server, which removes the parameters that it reads.
  const asked = { ...query }
  keepReason(response, () => {
    const clauses = newer.flatMap((name) => clauseFor(name, asked, compared) ?? []).slice(0, MOST_EXPLAINED)
    return clauses.length === 0 ? undefined : `as in json-server 0.17, ${clauses.join('; ')}`
  })
}

function clauseFor(name: string, query: Query, { index, hasResource, isList }: Compared): string | undefined {
  const values = [query[name]].flat().map(String)
  if (name === '_embed') {
    const isParent = (value: string) => !hasResource(value) && hasResource(pluralize(value))
    return values.some(isParent) ? '_embed of a parent is _expand' : undefined
  }
  if (!isList || index.hasField(name)) return undefined
  if (name === '_per_page') return '_per_page is _limit'
  if (name === '_where') return '_where is a parameter for each field, such as views_gte'
  if (name === '_sort') {
    const isField = values
      .flatMap((value) => value.split(','))
      .some((field) => /^-/.test(field) && index.hasField(field))
    return isField ? undefined : '_sort=-field is _sort=field&_order=desc'
  }
  const { field = '' } = CONDITION.exec(name)?.groups ?? {}
  const operator = OPERATORS[name.slice(field.length + 1)]
  // A name that is blanked in the log's line may hold a secret itself.
  return operator === undefined || redactTarget(field) !== field
    ? undefined
    : `${name} is ${field}${operator}`
}
