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

/** Makes JSON of the values that a template names. */
type Filled = (values: object) => unknown

/** `$` and a name, and then fields of the value: `$user.address.city`. */
const REFERENCE = /^\$([^.]*)(?:\.(.+))?$/

/** The field that stands for all fields of the object that is its value. */
const ALL_FIELDS = '...'

/**
 * Reads a template. What a value does not have is left out, as JSON leaves out undefined. No field whose name means
 * a secret is in an object; a template may name one.
 *
 * @param option the name of the option, for the error
 * @param names of the values
 * @throws OptionError for a template that names another value
 */
export function readTemplate(option: string, template: Template, names: readonly string[]): Filled {
  if (typeof template === 'string') return readText(option, template, names)
  const read = (part: Template) => readTemplate(option, part, names)
  if (Array.isArray(template)) {
    const parts = template.map(read)
    return (values) => parts.map((fill) => fill(values))
  }
  if (!isRecord(template)) return () => template
  const fields = Object.entries(template).map(([name, part]) => [name, read(part)] as const)
  return (values) => {
    const filled = fields.flatMap(([name, fill]) => {
      const value = fill(values)
      if (name !== ALL_FIELDS) return [[name, value] as const]
      return isRecord(value) ? Object.entries(value) : []
    })
    // Unlike an assignment, this makes a field of any name, even `__proto__`.
    return Object.fromEntries(filled)
  }
}

function readText(option: string, text: string, names: readonly string[]): Filled {
  const [, name, path] = REFERENCE.exec(text) ?? []
  if (name === undefined) return () => text
  if (!names.includes(name))
    throw new OptionError(
      `${option}: there is no "${text}": it can be ${names.map((known) => `$${known}`).join(', ')}.`,
    )
  const fields = [name, ...(path?.split('.') ?? [])]
  const inside = (value: unknown, field: string) =>
    isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined
  return (values) => withoutSecrets(fields.reduce<unknown>(inside, values))
}

/** A value without the fields whose names mean a secret, at any depth. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isRecord(value)) return value
  const shown = Object.entries(value).filter(([name]) => !isSecretName(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, withoutSecrets(field)]))
}
