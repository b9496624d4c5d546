import { isRecord } from '../../is-record'
import { isMisreadName } from '../names'
import { DEEPEST, MOST_FIELDS } from './infer-schema'
import { LONGEST_TEXT } from './text-format'

const MOST_ITEMS = 3

/** A public record as an example, cut down to what a person reads. */
export function makeExample(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return shortenObject(record, DEEPEST)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT)
  if (Array.isArray(value))
    return depth <= 0 ? [] : value.slice(0, MOST_ITEMS).map((item) => shorten(item, depth - 1))
  return isRecord(value) ? shortenObject(value, depth) : value
}

function shortenObject(record: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  if (depth <= 0) return {}
  const fields = Object.entries(record).filter(([name]) => !isMisreadName(name))
  return Object.fromEntries(
    fields.slice(0, MOST_FIELDS).map(([name, value]) => [name, shorten(value, depth - 1)]),
  )
}
