import { OptionError } from '../errors'
import { isObject, isRecord } from '../is-record'
import { valueAt } from '../value-at'
import { type FieldPath, fieldText, type PersonFields } from './person-fields'

/** JSON in which texts such as `"$user.name"` stand for values, and the field `...` for those of an object. */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [name: string]: Template }

/** Makes JSON of the values that a template names, of which any can be missing. */
export type Filled<Name extends string> = (values: Readonly<Partial<Record<Name, unknown>>>) => unknown

/** The same of a part of a template. */
type FilledPart = (values: object) => unknown

/** What a template can name. */
export interface TemplateValues<Name extends string> {
  /** The option that has the template, for the error. */
  readonly option: string
  readonly names: readonly Name[]
  /** Which fields of a value are passwords, and left out. Default: nothing is left out. */
  readonly fields?: PersonFields
}

/** `$` and a name, and then fields of the value: `$user.address.city`. */
const REFERENCE = /^\$([^.$]*)(?:\.([^$]+))?$/

/** The field that stands for all fields of the object that is its value. */
const ALL_FIELDS = '...'

/** A text that says a token: no field of a user takes the place of its field, and it is left out where there is no token. */
const HAS_TOKEN = /\$(?:token|refresh)\b/

/** Names within a text: `Bearer $token`. */
const WITHIN = /\$([a-z]\w*)((?:\.\w+)*)/gi

/**
 * Reads a template. What a value does not have is left out, as JSON leaves out undefined.
 *
 * @throws OptionError for a template that names another value
 */
export function readTemplate<Name extends string>(
  template: Template,
  values: TemplateValues<Name>,
): Filled<Name> {
  return readPart(template, values)
}

function readPart(template: Template, values: TemplateValues<string>): FilledPart {
  if (typeof template === 'string') return readText(template, values)
  const read = (part: Template) => readPart(part, values)
  if (Array.isArray(template)) {
    const parts = template.map(read)
    return (given) => parts.map((fill) => fill(given))
  }
  if (!isRecord(template)) return () => template
  const fields = Object.entries(template).map(([name, part]) => [name, read(part)] as const)
  const tokens = Object.keys(template).filter((name) => HAS_TOKEN.test(JSON.stringify(template[name]) ?? ''))
  return (given) => {
    const filled = fields.flatMap(([name, fill]) => {
      const value = fill(given)
      if (name !== ALL_FIELDS) return [[name, value] as const]
      return isRecord(value) ? Object.entries(value).filter(([field]) => !tokens.includes(field)) : []
    })
    // Unlike an assignment, this makes a field of any name, even `__proto__`.
    return Object.fromEntries(filled)
  }
}

/** The values that a template names, each with the fields of the path: `['user', 'address']` of `$user.address`. */
export function referencesIn(template: Template): string[][] {
  if (typeof template !== 'string')
    return isObject(template) ? Object.values(template).flatMap(referencesIn) : []
  const whole = REFERENCE.exec(template)
  return (whole === null ? [...template.matchAll(WITHIN)] : [whole]).map(([text]) => text.slice(1).split('.'))
}

/** How something is refused, where the application chooses it. */
interface ReadRefusal<Name extends string> {
  readonly status: number
  /** Makes the body. */
  readonly fill: Filled<Name>
  /** Whether the body is the application's own. */
  readonly hasOwnBody: boolean
}

/**
 * Reads a status, or `{ status, body }`.
 *
 * @param usual what stands for the status and the body where they are left out
 * @throws OptionError for anything else, and as {@link readTemplate} does
 */
export function readRefusalTemplate<Name extends string>(
  given: Template | undefined,
  usual: { readonly status: number; readonly body: Template },
  values: TemplateValues<Name>,
): ReadRefusal<Name> {
  const { status = usual.status, body = usual.body, ...others } = isRecord(given) ? given : { status: given }
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599
  // These responses have no body.
  if (!isStatus || [204, 205, 304].includes(status) || Object.keys(others).length > 0)
    throw new OptionError(
      `${values.option} must be a status from 200 to 599, for instance 403, or ` +
        '{"status": 400, "body": {"errors": ["$message"]}}.',
    )
  return { status, fill: readTemplate(body, values), hasOwnBody: body !== usual.body }
}

/** Reads a text: one name stands for its value, whatever that is, and names within a text for theirs as texts. */
function readText(text: string, values: TemplateValues<string>): FilledPart {
  const [, name, path] = REFERENCE.exec(text) ?? []
  if (name !== undefined && values.names.includes(name)) return reader(name, path?.split('.') ?? [], values)
  const within = [...text.matchAll(WITHIN)]
  const [wrong] = within.find(([, known = '']) => !values.names.includes(known)) ?? []
  if (wrong !== undefined || (name !== undefined && within.length === 0))
    throw new OptionError(
      `${values.option}: there is no "${wrong ?? text}": it can be ` +
        `${values.names.map((known) => `$${known}`).join(', ')}.`,
    )
  if (within.length === 0) return () => text
  const readers = new Map(
    within.map(([found, known = '', rest = '']) => [found, reader(known, rest.split('.').slice(1), values)]),
  )
  const tokens = [...readers].flatMap(([found, read]) => (HAS_TOKEN.test(found) ? [read] : []))
  return (given) =>
    tokens.some((read) => read(given) === undefined)
      ? undefined
      : text.replace(WITHIN, (found) => fieldText(readers.get(found)?.(given)))
}

function reader(name: string, path: FieldPath, { fields }: TemplateValues<string>): FilledPart {
  return (given) => {
    const value = valueAt(given, [name])
    // A password is known by the names of fields, which a value at their end no longer has.
    return valueAt(fields === undefined ? value : fields.withoutPasswords(value), path)
  }
}
