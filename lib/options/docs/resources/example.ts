import { isRecord } from '../../../is-record'
import { isMisreadName } from '../names'
import { DEEPEST, MOST_FIELDS } from './infer-schema'

/** Characters. */
const LONGEST_TEXT = 300
const MOST_ITEMS = 3

type Fields = Readonly<Record<string, unknown>>

/** A public record as an example, shortened for a reader. */
export function makeExample(record: Fields, depth = DEEPEST): Fields {
  const fields = Object.entries(record).filter(([name]) => depth > 0 && !isMisreadName(name))
  return Object.fromEntries(
    fields.slice(0, MOST_FIELDS).map(([name, value]) => [name, shorten(value, depth - 1)]),
  )
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT)
  if (Array.isArray(value))
    return value.slice(0, depth > 0 ? MOST_ITEMS : 0).map((item) => shorten(item, depth - 1))
  return isRecord(value) ? makeExample(value, depth) : value
}
