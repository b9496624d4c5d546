import type { ParsedQs } from 'qs'
import safeRegex from 'safe-regex2'
import { HttpError } from './errors'

/** A query as Express or a rewrite rule has parsed it. */
type Query = ParsedQs | Record<string, unknown>

/** Parameters that json-server takes apart as one text. */
const SINGLE = new Set(['_sort', '_order'])

/**
 * Refuses the query strings that make json-server's router crash or hang.
 *
 * @throws HttpError 400 for a nested parameter, a repeated `_sort` or `_order`, and a `_like` whose regular
 *   expression is invalid or can take exponential time
 */
export function checkQuery(query: Query): void {
  for (const [name, value] of Object.entries(query)) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (!values.every((item) => typeof item === 'string')) {
      throw new HttpError(400, `The query parameter "${name}" must be plain text, without brackets.`)
    }
    if (SINGLE.has(name) && Array.isArray(value)) {
      throw new HttpError(
        400,
        `The query parameter "${name}" may be given once: separate several fields by commas.`,
      )
    }
    if (name.endsWith('_like')) for (const pattern of values) checkPattern(name, String(pattern))
  }
}

function checkPattern(name: string, pattern: string): void {
  try {
    new RegExp(pattern, 'i')
  } catch {
    throw new HttpError(400, `The query parameter "${name}" is not a valid regular expression.`)
  }
  if (!safeRegex(pattern)) {
    throw new HttpError(
      400,
      `The regular expression in "${name}" repeats a repetition and could run for ever: simplify it.`,
    )
  }
}
