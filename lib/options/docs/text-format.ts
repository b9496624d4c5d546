const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])'
const TIME = '([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d+)?(Z|[+-](0\\d|1[0-3]):[0-5]\\d)'

const FORMATS: readonly [format: string, pattern: RegExp][] = [
  ['email', /^[\w+-]+(\.[\w+-]+)*@[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)+$/i],
  ['date', new RegExp(`^${DAY}$`)],
  ['date-time', new RegExp(`^${DAY}T${TIME}$`)],
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i],
]

/** What JSON Schema calls the format of all of these values, if they are strings of one. */
export function textFormat(values: readonly unknown[]): string | undefined {
  return FORMATS.find(([, pattern]) =>
    values.every((value) => typeof value === 'string' && pattern.test(value)),
  )?.[0]
}
