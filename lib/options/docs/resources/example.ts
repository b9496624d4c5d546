import { isMisreadName } from '../names'

/** Characters. */
const LONGEST_TEXT = 300
const LONGEST_EXAMPLE = 5000
const MOST_ITEMS = 3

/** A public record as an example, shortened for a reader; none for one that stays too long. */
export function makeExample(record: object): Readonly<Record<string, unknown>> | undefined {
  const text = JSON.stringify(record, (name, value) => {
    if (isMisreadName(name)) return undefined
    if (typeof value === 'string') return value.slice(0, LONGEST_TEXT)
    return Array.isArray(value) ? value.slice(0, MOST_ITEMS) : value
  })
  return text.length > LONGEST_EXAMPLE ? undefined : JSON.parse(text)
}
