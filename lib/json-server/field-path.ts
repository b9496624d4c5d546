import { lodash } from './lodash'

/** A field of records, by its name or by a path to it, as lodash finds it. */
export interface FieldPath {
  isIn: (record: unknown) => boolean
  valueIn: (record: unknown) => unknown
}

/**
 * Reads a path once. lodash would read its text again for each record: beside 100,000 records, one of 14 kB
 * takes 8 s, and 50 short ones 1.8 s.
 */
export function fieldPath(text: string): FieldPath {
  // lodash alone knows which brackets make a path.
  if (text.includes('['))
    return {
      isIn: (record) => lodash().has(record, text),
      valueIn: (record) => lodash().get(record, text),
    }
  const hasName = (record: unknown) => Object.hasOwn(Object(record), text)
  const only = [text]
  if (!text.includes('.')) return { isIn: hasName, valueIn: (record) => lodash().get(record, only) }
  const steps = lodash().toPath(text)
  return {
    isIn: (record) => hasName(record) || lodash().has(record, steps),
    valueIn: (record) => lodash().get(record, hasName(record) ? only : steps),
  }
}
