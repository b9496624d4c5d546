const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])'
const TIME = '([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d+)?(Z|[+-](0\\d|1[0-3]):[0-5]\\d)'

const EMAIL = /^[\w+-]+(\.[\w+-]+)*@[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)+$/i
const DATE = new RegExp(`^${DAY}$`)
const DATE_TIME = new RegExp(`^${DAY}T${TIME}$`)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const FORMATS: readonly [format: string, isValid: (text: string) => boolean][] = [
  ['email', (text) => EMAIL.test(text)],
  ['date', (text) => DATE.test(text) && hasSuchDay(text)],
  ['date-time', (text) => DATE_TIME.test(text) && hasSuchDay(text)],
  ['uuid', (text) => UUID.test(text)],
]

/** What JSON Schema calls the format of all of these values, if they are strings of one. */
export function textFormat(values: readonly unknown[]): string | undefined {
  return FORMATS.find(([, isValid]) =>
    values.every((value) => typeof value === 'string' && isValid(value)),
  )?.[0]
}

/** Whether the month has the day at the start: where it has not, JavaScript counts on into the next month. */
function hasSuchDay(text: string): boolean {
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
