/** A record of somebody who may log in. */
export type User = Readonly<Record<string, unknown>>

/** A field of a body or a record, with its value as text. */
export type Field = readonly [name: string, text: string]

/** The fields by which people are known: nobody else has the same value. */
const UNIQUE_NAMES: readonly string[] = ['email', 'username', 'login', 'phone', 'mobile']

/** With a name, by which people are known where nothing better was sent. */
export const PERSON_NAMES: readonly string[] = [...UNIQUE_NAMES, 'name']

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
export function fieldOf(record: User, name: string): string {
  return Object.hasOwn(record, name) ? textOf(record[name]) : ''
}

/** The fields by which somebody is known: the unique ones, or else the name. */
export function personNames(fields: readonly Field[]): readonly Field[] {
  const unique = fields.filter(([name]) => UNIQUE_NAMES.includes(name))
  return unique.length > 0 ? unique : fields.filter(([name]) => name === 'name')
}
