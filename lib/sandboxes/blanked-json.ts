import { isRecord } from '../is-record'

const BLANK = '***'

/**
 * The fields whose values are blanked, also as a form or a query has them: `user[password]`, `password[]`.
 */
const SECRET_FIELD = /(?:^|\[)(?:password|access_token)(?:\].*|\[.*)?$/

/** Such a field in JSON text, for JSON that was sent as a form. */
const SECRET_IN_TEXT = /("(?:password|access_token)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?|[^\s",}\]]+)/g

/** A JWT begins with `{"` in base64url and has two dots (RFC 7519 section 3). */
const JWT = /\beyJ[\w-]*\.[\w-]+\.[\w-]*/g

/** A value as JSON text, with its passwords and tokens blanked. */
export function blankedJson(value: unknown): string {
  return JSON.stringify(blanked(value)) ?? 'null'
}

function blanked(value: unknown): unknown {
  if (typeof value === 'string') return blankedText(value)
  if (Array.isArray(value)) return value.map(blanked)
  if (!isRecord(value)) return value
  const fields = Object.entries(value).map(([name, item]) => [
    blankedText(name),
    SECRET_FIELD.test(name) ? BLANK : blanked(item),
  ])
  return Object.fromEntries(fields)
}

function blankedText(text: string): string {
  return text.replace(JWT, BLANK).replace(SECRET_IN_TEXT, `$1"${BLANK}"`)
}
