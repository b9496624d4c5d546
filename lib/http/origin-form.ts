/**
 * The path and the query that a request target asks for (RFC 9112 section 3.2).
 *
 * @param target in origin form, which is a path, in absolute form (`http://host/path`), or `*`
 * @returns undefined when it has none of these forms, or a fragment, with which Express would misread it
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined
  if (target.startsWith('/') || target === '*') return target
  const [origin] = /^https?:\/\/[^/?]+/i.exec(target) ?? []
  if (origin === undefined || !URL.canParse(origin)) return undefined
  return target.slice(origin.length).replace(/^(?!\/)/, '/')
}

/** Why a target is refused. */
export const BAD_TARGET = 'The address of the request is not valid: it must be a path or begin with http://.'
