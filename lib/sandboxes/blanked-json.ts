import { BODY_LIMITS } from '../http/body-limits'
import { redactJwts } from '../http/log/redact-target'
import { isObject } from '../is-record'

const BLANK = '***'

/**
 * The fields whose values are blanked, also as a form or a query has them: `user[password]`, `password[]`,
 * and as json-server's filters do: `user.password`, `password_like`.
 */
const SECRET_FIELD = /(?:^|[[.])(?:password|access_token)(?:_(?:like|ne|gte|lte))?(?:[\][.].*)?$/s

/**
 * Such a field in a text, and all that follows it: in JSON that was sent as a form, however often it was
 * quoted, or in an address. Where its value ends cannot be told from a text that may be cut or quoted again.
 */
const SECRET_IN_TEXT = /((?<![\w-])(?:password|access_token)(?:\]*=|\\*"\s*:)).+/s

/**
 * A value as JSON text, with its passwords and tokens blanked. The time is proportional to its length, and
 * bounded by that of the longest text.
 *
 * @param longest how many characters the text can have
 * @returns undefined for what cannot be kept: a longer value, one that is nested deeper than a record can be,
 *   or one that JSON cannot hold
 */
export function blankedJson(value: unknown, longest: number): string | undefined {
  let left = longest
  /** @throws RangeError when the value is too long or nested too deep, or contains itself */
  function blanked(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return blankedText(value)
    // A value takes at least one character.
    spend(1)
    if (!isObject(value)) return value
    if (depth > BODY_LIMITS.depth) throw new RangeError('The value is nested too deep.')
    if (Array.isArray(value)) return value.map((item) => blanked(item, depth + 1))
    return blankedFields(Object.entries(value), depth)
  }
  function blankedFields(fields: [name: string, item: unknown][], depth: number): object {
    // A form cuts JSON at each `&` and `=`: the rest of a password may be in any of its fields.
    const [cut] = fields.find(([name]) => SECRET_IN_TEXT.test(name)) ?? []
    if (cut !== undefined) return { [blankedText(cut)]: BLANK }
    const kept = fields.map(([name, item]) => [
      blankedText(name),
      SECRET_FIELD.test(name) ? BLANK : blanked(item, depth + 1),
    ])
    return Object.fromEntries(kept)
  }
  function blankedText(text: string): string {
    spend(text.length)
    return redactJwts(text).replace(SECRET_IN_TEXT, `$1${BLANK}`)
  }
  function spend(characters: number): void {
    left -= characters
    if (left < 0) throw new RangeError('The value is too long.')
  }
  try {
    return JSON.stringify(blanked(value, 1)) ?? 'null'
  } catch {
    // A user's middleware can put any object in the place of a body.
    return undefined
  }
}
