import { HttpError } from '../errors'
import { holdsToString } from './holds-to-string'

/** Parameters that json-server takes apart as text, and fails on when they hold brackets. */
const TEXTS_OF_LIST = ['q', '_sort', '_order', '_expand']
const TEXTS_OF_RECORD = ['_expand']

/** Of these it cannot even take two. */
const SINGLE = ['_sort', '_order']

/**
 * Refuses the query strings that make json-server's router crash or hang.
 *
 * @param query as Express or a rewrite rule has parsed it
 * @param target what the query is for: json-server reads most of it for a list only
 * @throws HttpError 400 for brackets where json-server needs a text; a repeated `_sort` or `_order`; a `_like` whose regular
 *   expression is invalid
 */
export function checkQuery(query: Readonly<Record<string, unknown>>, target: 'list' | 'record'): void {
  for (const name of target === 'list' ? TEXTS_OF_LIST : TEXTS_OF_RECORD) {
    if (![query[name]].flat().every((value) => value === undefined || typeof value === 'string')) {
      throw new HttpError(400, `The query parameter "${name}" must be plain text, without brackets.`)
    }
  }
  if (Object.values(query).some(holdsToString)) {
    throw new HttpError(400, 'The brackets of a query parameter must not hold "toString".')
  }
  if (target === 'record') return
  for (const name of SINGLE) {
    if (Array.isArray(query[name])) {
      throw new HttpError(
        400,
        `The query parameter "${name}" may be given once: separate several fields by commas.`,
      )
    }
  }
  for (const [name, value] of Object.entries(query)) {
    if (name.endsWith('_like')) for (const pattern of [value].flat()) checkPattern(name, String(pattern))
  }
}

function checkPattern(name: string, pattern: string): void {
  try {
    new RegExp(pattern, 'i')
  } catch {
    throw new HttpError(400, `The query parameter "${name}" is not a valid regular expression.`)
  }
}
