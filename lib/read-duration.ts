/** The units of a duration, in seconds. */
const UNITS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

/**
 * Reads a duration such as `15m`.
 *
 * @returns seconds; undefined for what is no duration
 */
export function readDuration(given: unknown): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,8})(.)$/.exec(String(given)) ?? []
  const length = UNITS.get(unit)
  return length && Number(count) * length
}
