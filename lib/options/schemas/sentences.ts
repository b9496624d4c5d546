import type { ErrorObject } from 'ajv'
import type { Problem } from '../../json-server/record-refusal'
import { NAMED } from './places'
import { pointerPart, type Shape } from './shape'

/** What a value of each type is. */
export const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  date: 'a date, such as 2026-01-31',
  'date-time': 'a date and a time, such as 2026-01-31T12:00:00Z',
  time: 'a time, such as 12:00:00Z',
  uri: 'a web address, such as https://example.com',
  url: 'a web address, such as https://example.com',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
}

type Params = Readonly<Record<string, unknown>>

function counted(limit: unknown, one: string, many = `${one}s`): string {
  return `${limit} ${limit === 1 ? one : many}`
}

/** What a value must be, by the keyword that it breaks. */
const SENTENCES: Readonly<Record<string, (params: Params) => string>> = {
  required: () => 'is required',
  dependentRequired: () => 'is required',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((name) => TYPES[String(name)])
      .join(' or ')}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'entry', 'entries')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'entry', 'entries')}`,
  uniqueItems: () => 'must not have an entry twice',
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  enum: ({ allowedValues }) => `must be one of: ${[allowedValues].flat().map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  format: ({ format }) => `must be ${FORMATS[String(format)] ?? `of the form ${format}`}`,
  pattern: () => 'is not of the right form',
  additionalProperties: () => 'is not known',
  unevaluatedProperties: () => 'is not known',
}

const SLOW = 'takes too long to be compared with its pattern'

/** How much of a name is repeated that a client has chosen. */
const LONGEST_NAME = 60

/** Whether an error is that of one of several schemas: that none fits is an error of its own. */
function isInBranch(schemaPath: string): boolean {
  const keywords = schemaPath.split('/').slice(0, -1)
  for (let index = 0; index < keywords.length; index += 1) {
    const keyword = keywords[index] ?? ''
    if (NAMED.includes(keyword)) index += 1
    else if (keyword === 'anyOf' || keyword === 'oneOf') return true
  }
  return false
}

/** The sentence for an error; none for one that only repeats others. */
export function fieldProblem(error: ErrorObject, shape: Shape): Problem | undefined {
  const { instancePath, keyword, schemaPath } = error
  if (keyword === 'if' || isInBranch(schemaPath)) return undefined
  const params: Params = error.params
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const child = missingProperty ?? additionalProperty ?? unevaluatedProperty
  const path = instancePath.split('/').slice(1).map(pointerPart)
  return problemAt(
    child === undefined ? path : [...path, String(child)],
    SENTENCES[keyword]?.(params) ?? 'does not fit',
    shape,
  )
}

/** @param path of a field that could not be compared with its pattern */
export function slowProblem(path: readonly string[], shape: Shape): Problem {
  return problemAt(path, SLOW, shape)
}

/** @param fields whose values another record has */
export function takenProblem(fields: readonly string[], shape: Shape): Problem {
  const labels = fields.map((field) => fieldLabel([field], shape))
  return {
    field: fields[0] ?? '',
    message: `${labels.join(' and ')} ${fields.length > 1 ? 'are' : 'is'} taken already`,
  }
}

function problemAt(path: readonly string[], sentence: string, shape: Shape): Problem {
  const short = path.map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name))
  return { field: short.join('.'), message: `${fieldLabel(short, shape)} ${sentence}` }
}

/** What a sentence calls a field: the title that its schema gives it, or its path. */
function fieldLabel(path: readonly string[], shape: Shape): string {
  const step = (found: Shape | undefined, name: string) => found?.field(name) ?? found?.elements
  const title = path.length > 0 ? path.reduce<Shape | undefined>(step, shape)?.get('title') : undefined
  return typeof title === 'string' ? title : path.join('.') || 'the record'
}
