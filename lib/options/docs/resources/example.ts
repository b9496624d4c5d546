import { isMisreadName } from '../names'

/** How many characters a text in an example, and a whole example, may have. */
const LONGEST_TEXT = 300
const LONGEST_EXAMPLE = 5000

/** A public record as an example, its texts shortened for a reader; none for one that stays too long. */
export function makeExample(record: object): Readonly<Record<string, unknown>> | undefined {
  const text = JSON.stringify(record, (name, value) => {
    if (isMisreadName(name)) return undefined
    return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value
  })
  // The text of an object, so that what is parsed is an object again.
  return text.length > LONGEST_EXAMPLE ? undefined : JSON.parse(text)
}
