import { isRecord } from '../../is-record'
import type { StoredRecord } from '../../json-server/collection-index'
import type { Shape } from './shape'

/** A record without some fields. */
export function without(record: StoredRecord, fields: readonly string[]): StoredRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)))
}

/**
 * An object without what is read-only in it, where what was stored stays, as OpenAPI has it: such a field should not be
 * sent, and is ignored where it is, because forms send back the whole record. In a list, no element is known again.
 */
export function withoutReadOnly(sent: StoredRecord, before: unknown, shape: Shape): StoredRecord {
  const known = isRecord(before) ? before : {}
  const accepted = Object.entries(sent)
    .filter(([name]) => !shape.isReadOnly(name))
    .map(([name, value]) => {
      const field = shape.field(name)
      return [name, field && isRecord(value) ? withoutReadOnly(value, known[name], field) : value] as const
    })
  const kept = shape.fields.filter((name) => shape.isReadOnly(name) && Object.hasOwn(known, name))
  // Unlike an assignment, this makes a field of any name.
  return Object.fromEntries([...accepted, ...kept.map((name) => [name, known[name]] as const)])
}

/** A value with what its schema gives to fields that it does not have. */
function withDefaults(value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined) return value
  if (Array.isArray(value)) {
    const { elements } = shape
    return elements === undefined ? value : value.map((element) => withDefaults(element, elements))
  }
  return isRecord(value) ? fieldsWithDefaults(value, shape) : value
}

/** A record with what its schema gives to fields that it does not have. */
export function fieldsWithDefaults(record: StoredRecord, shape: Shape): StoredRecord {
  const own = Object.entries(record).map(([name, value]) => [name, withDefaults(value, shape.field(name))])
  const missing = shape.fields
    .filter((name) => !Object.hasOwn(record, name))
    .map((name) => [name, structuredClone(shape.defaultOf(name))] as const)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries([...own, ...missing])
}

/**
 * A record in which texts are the numbers, or true or false, that its schema names.
 *
 * @param isText whether a field could be sent as a text alone
 */
export function withNumbers(
  record: StoredRecord,
  shape: Shape,
  isText: (name: string, value: unknown) => boolean,
): StoredRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(name, value) ? fromText(value, shape.field(name)) : value,
    ]),
  )
}

function fromText(text: string, shape: Shape | undefined): unknown {
  const types = shape?.all('type').flat() ?? []
  if (types.includes('string')) return text
  const isNumber = types.includes('number') || types.includes('integer')
  if (isNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return types.includes('boolean') && /^(true|false)$/.test(text) ? text === 'true' : text
}
