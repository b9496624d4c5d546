import type { Schema } from '../../http/operations'

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])'
const TIME = '([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d+)?(Z|[+-](0\\d|1[0-3]):[0-5]\\d)'

const FORMATS: readonly [format: RegExp, schema: Schema][] = [
  [/^[\w+-]+(\.[\w+-]+)*@[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)+$/i, { format: 'email' }],
  [new RegExp(`^${DAY}$`), { format: 'date' }],
  [new RegExp(`^${DAY}T${TIME}$`), { format: 'date-time' }],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i, { format: 'uuid' }],
  // Dates with slashes have no format of their own (docs/interface.md, Service: blogs and users).
  [/^\d{4}\/\d{2}\/\d{2}$/, { description: 'A date written as YYYY/MM/DD.' }],
]

/** What JSON Schema says of all of these values, if they are strings of one format. */
export function textFormat(values: readonly unknown[]): Schema | undefined {
  return FORMATS.find(([format]) =>
    values.every((value) => typeof value === 'string' && format.test(value)),
  )?.[1]
}
