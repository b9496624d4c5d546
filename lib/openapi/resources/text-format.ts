/** Characters: longer strings are cut off in examples, and half a URI is not a URI. */
export const LONGEST_TEXT = 300

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const EMAIL = new RegExp(`^[\\w+-]+(?:\\.[\\w+-]+)*@${LABEL}(?:\\.${LABEL})+$`)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d)$/
const URI =
  /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:\/(?:[\w.~:@!$&'()*+,;=/-]|%[0-9A-Fa-f]{2})*)?(?:\?(?:[\w.~:@!$&'()*+,;=/?-]|%[0-9A-Fa-f]{2})*)?(?:#[\w.~/-]*)?$/

const FORMATS: readonly [format: string, matches: (text: string) => boolean][] = [
  ['email', (text) => EMAIL.test(text)],
  ['date', isDate],
  ['date-time', (text) => DATE_TIME.test(text) && isDate(text.slice(0, 10))],
  ['uuid', (text) => UUID.test(text)],
  ['uri', (text) => URI.test(text) && URL.canParse(text)],
]

/** The JSON Schema format that all of these strings have, or undefined. */
export function textFormat(texts: readonly string[]): string | undefined {
  const [first] = texts
  if (first === undefined) return undefined
  return FORMATS.find(
    ([, matches]) => matches(first) && texts.every((text) => text.length <= LONGEST_TEXT && matches(text)),
  )?.[0]
}

/** Dates with slashes have no format of their own (docs/interface.md, Service: blogs and users). */
export function isSlashDate(text: string): boolean {
  return /^\d{4}\/\d{2}\/\d{2}$/.test(text)
}

/** Whether it is a day that exists, as YYYY-MM-DD. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
