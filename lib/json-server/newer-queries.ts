import type { Query } from './query-checks'

/** The parameters of json-server 1.0 that 0.17 ignores, as `name=value`, and what to write in their place. */
const HINTS: readonly (readonly [parameter: RegExp, hint: string])[] = [
  [/^_sort=(.*,)?-/s, '_sort=-field is _sort=field&_order=desc'],
  [/^_per_page=/, '_per_page is _limit'],
  [/^_where=/, '_where is a parameter for each field, such as field_gte'],
  [/^[^=]+:([gl]te|ne)=/, 'field:gte, :lte, :ne are field_gte, _lte, _ne'],
  // The first versions of 1.0 had an underscore here.
  [/^[^=]+[:_][gl]t=/, 'field:gt, :lt are field_gte, _lte, which include the value'],
  [/^[^=]+:eq=/, 'field:eq is field'],
  [/^[^=]+:in=/, 'field:in is field, once for each value'],
  [/^[^=]+:contains=/, 'field:contains is field_like'],
  [/^[^=]+:(starts|ends)With=/, 'field:startsWith, :endsWith are field_like=^..., field_like=...$'],
  [/^_embed=/, '_embed of a parent is _expand'],
]

/**
 * What to write here in place of the parameters of json-server 1.0, as a clause for the server's log: whoever
 * follows that version's README gets a whole list otherwise, and no word about it.
 *
 * @param hasField whether a record of the collection that is read has a field of this name
 * @param hasResource whether the data has a resource of this name, which 0.17 embeds, too
 * @returns undefined for a query without any
 * @see https://github.com/typicode/json-server/blob/main/README.md
 */
export function newerHint(
  query: Query,
  hasField: (name: string) => boolean,
  hasResource: (name: string) => boolean,
): string | undefined {
  const given = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: typeof value === 'string' ? value : '' })),
  )
  const hints = HINTS.filter(([parameter]) =>
    given.some(
      ({ name, value }) =>
        parameter.test(`${name}=${value}`) && !(name === '_embed' && hasResource(value)) && !hasField(name),
    ),
  )
  if (hints.length === 0) return undefined
  return `as in json-server 0.17, ${hints.map(([, hint]) => hint).join('; ')}`
}
