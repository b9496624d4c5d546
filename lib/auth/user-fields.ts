/** A field of a body or a record, with its value as text. */
export type Field = readonly [name: string, text: string]

/** The fields by which people are known: nobody else has the same value. */
export const UNIQUE_NAMES = ['email', 'username', 'login', 'phone', 'mobile'] as const

/** With a name, by which people are known where nothing better was sent. */
export const PERSON_NAMES = [...UNIQUE_NAMES, 'name'] as const

/** A text or a number as text; an empty text for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    ? String(value)
    : ''
}

/** The own fields that have a text or a number, and are not empty. */
export function fieldsOf(record: object): Field[] {
  return Object.entries(record)
    .map(([name, value]): Field => [name, textOf(value)])
    .filter(([, text]) => text !== '')
}

/** The text of an own field; empty where there is none. */
export function fieldOf(record: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(record, name) ? textOf(record[name]) : ''
}
