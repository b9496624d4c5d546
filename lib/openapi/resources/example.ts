import { isRecord } from '../../is-record'
import { isSecretName } from '../../secret-names'
import { isMisreadName } from '../names'
import { DEEPEST, MOST_FIELDS } from './infer-schema'
import { placeholder } from './secrets'
import { LONGEST_TEXT } from './text-format'

const MOST_ITEMS = 3
/** A shorter text stands in others by chance. */
const TELLING = 4

export interface ExampleOptions {
  /** Texts that must not show, whatever the field is named. */
  secrets: ReadonlySet<string>
  /** The name of the id property: what it holds stands in addresses anyway. */
  idProperty: string
  /** The name of the collection. */
  name: string
}

/** A record as an example: cut down to what a person reads, and with a placeholder for every secret. */
export function makeExample(
  record: Readonly<Record<string, unknown>>,
  options: ExampleOptions,
): Record<string, unknown> {
  const { [options.idProperty]: id, ...fields } = record
  const shown = showObject(fields, options.name, isSecretName(options.name), options, DEEPEST)
  if (id === undefined || !Object.hasOwn(record, options.idProperty)) return shown
  const secret = isSecretName(options.idProperty)
  // The id stays even if it is a secret's text: the schema may require it.
  const noSecrets = { ...options, secrets: new Set<string>() }
  return { [options.idProperty]: show(id, options.idProperty, secret, noSecrets, DEEPEST - 1), ...shown }
}

function show(
  value: unknown,
  name: string,
  secret: boolean,
  options: ExampleOptions,
  depth: number,
): unknown {
  if (Array.isArray(value)) {
    if (depth <= 0) return []
    return value
      .slice(0, MOST_ITEMS)
      .filter((item) => secret || !isHidden(item, options))
      .map((item) => show(item, name, secret, options, depth - 1))
  }
  if (isRecord(value)) return depth <= 0 ? {} : showObject(value, name, secret, options, depth)
  if (typeof value === 'string') return secret ? placeholder(name) : value.slice(0, LONGEST_TEXT)
  if (typeof value === 'number') return secret && Number.isFinite(value) ? 0 : value
  return secret && typeof value === 'boolean' ? false : value
}

function showObject(
  record: Readonly<Record<string, unknown>>,
  name: string,
  secret: boolean,
  options: ExampleOptions,
  depth: number,
): Record<string, unknown> {
  const shown = Object.entries(record)
    .filter(
      ([key, value]) => !isMisreadName(key) && (secret || isSecretName(key) || !isHidden(value, options)),
    )
    .slice(0, MOST_FIELDS)
    .map(([key, value]) => {
      const keyIsSecret = isSecretName(key)
      return [key, show(value, keyIsSecret ? key : name, secret || keyIsSecret, options, depth - 1)]
    })
  return Object.fromEntries(shown)
}

function isHidden(value: unknown, { secrets }: ExampleOptions): boolean {
  if (typeof value !== 'string') return false
  return secrets.has(value) || [...secrets].some((text) => text.length >= TELLING && value.includes(text))
}
