import { OptionError } from '../../errors'
import { isSecretName } from '../../http/log/secret-names'
import { isRecord } from '../../is-record'

/** JSON in which texts such as `"$user.name"` stand for values, and the field `...` for those of an object. */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [name: string]: Template }

/** The values that a template can name. */
export type Values = Readonly<Record<string, unknown>>

/** `$` and a name, and then fields of the value: `$user.address.city`. */
const REFERENCE = /^\$([^.]*)(?:\.(.+))?$/

/** The field that stands for all fields of the object that is its value. */
const ALL_FIELDS = '...'

/**
 * Refuses a template that names a value that it cannot have.
 *
 * @param option the name of the option, for the error
 * @throws OptionError
 */
export function checkTemplate(option: string, template: unknown, names: readonly string[]): void {
  if (typeof template === 'string') {
    const [, name] = REFERENCE.exec(template) ?? []
    if (name !== undefined && !names.includes(name))
      throw new OptionError(
        `${option}: there is no "${template}": it can be ${names.map((known) => `$${known}`).join(', ')}.`,
      )
    return
  }
  if (typeof template !== 'object' || template === null) return
  for (const part of Object.values(template)) checkTemplate(option, part, names)
}

/**
 * Fills the values in. What a value does not have is left out, as JSON leaves out undefined. No field whose name means
 * a secret is in an object; a template may name one.
 */
export function fillTemplate(template: Template, values: Values): unknown {
  if (typeof template === 'string') return referredTo(template, values)
  if (Array.isArray(template)) return template.map((part) => fillTemplate(part, values))
  if (!isRecord(template)) return template
  const fields = Object.entries(template).flatMap(([name, part]) => {
    const value = fillTemplate(part, values)
    if (name !== ALL_FIELDS) return [[name, value] as const]
    return isRecord(value) ? Object.entries(value) : []
  })
  // Unlike an assignment, this makes a field of any name, even `__proto__`.
  return Object.fromEntries(fields)
}

function referredTo(text: string, values: Values): unknown {
  const [, name, path] = REFERENCE.exec(text) ?? []
  if (name === undefined) return text
  const names = path === undefined ? [name] : [name, ...path.split('.')]
  const found = names.reduce<unknown>(
    (value, field) => (isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined),
    values,
  )
  return withoutSecrets(found)
}

/** A value without the fields whose names mean a secret, at any depth. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isRecord(value)) return value
  const shown = Object.entries(value).filter(([name]) => !isSecretName(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, withoutSecrets(field)]))
}
