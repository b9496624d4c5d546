import type { Schema } from '../../docs-addition'

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const EMAIL = new RegExp(`^[\\w+-]+(?:\\.[\\w+-]+)*@${LABEL}(?:\\.${LABEL})+$`)
const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const FORMATS: readonly [matches: (text: string) => boolean, schema: Schema][] = [
  [(text) => EMAIL.test(text), { format: 'email' }],
  [isDate, { format: 'date' }],
  [(text) => TIME.test(text.slice(10)) && isDate(text.slice(0, 10)), { format: 'date-time' }],
  [(text) => UUID.test(text), { format: 'uuid' }],
  // Dates with slashes have no format of their own (docs/interface.md, Service: blogs and users).
  [(text) => /^\d{4}\/\d{2}\/\d{2}$/.test(text), { description: 'A date written as YYYY/MM/DD.' }],
]

/** What JSON Schema says of all of these strings, if they have one format. */
export function textFormat(texts: readonly string[]): Schema | undefined {
  return FORMATS.find(([matches]) => texts.every(matches))?.[1]
}

/** Whether it is a day that exists, as YYYY-MM-DD. */
function isDate(text: string): boolean {
  return text.length === 10 && JSON.stringify(new Date(text)).startsWith(`"${text}T`)
}
