import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isHash } from '../../auth/hash-pattern'
import { fieldText } from '../../auth/person-fields'
import type { Template } from '../../auth/template'
import { type Current, madeFrom } from '../../current'
import { OptionError } from '../../errors'
import type { StoredRecord } from '../../json-server/collection-index'
import type { Problem } from '../../json-server/record-refusal'
import type {
  Addition,
  RecordChange,
  RecordRules,
  SentBody,
  StoredChange,
} from '../../json-server/record-rules'
import { valueAt } from '../../value-at'
import { compileSchemas, FREE, type RecordSchema, type Schemas } from './compile'
import { describeSchemas } from './describe'
import { fieldsWithDefaults, withNumbers, without, withoutReadOnly } from './fields'
import { misfit } from './record-problems'
import { readSchemaRefusal } from './refusal'
import { takenProblem } from './sentences'
import { Stamps } from './stamps'
import { handOnTaken, haveSame, isValueTaken } from './taken-values'

/** What the names of the fields for times must be. */
export const TIME_STAMPS_FORM = 'one or two names of fields, for instance createdAt,updatedAt'

interface SchemaOptions {
  /** Default: none. */
  schemas?: Schemas | undefined
  /** The status of a refusal, or `{ status, body }`. */
  schemaRefusal?: Template | undefined
  /** Fields for the time of the addition, and of the last change. */
  timeStamps?: readonly string[] | undefined
  /** How new records get their ids. Default: as in json-server. */
  ids?: 'uuid' | undefined
  idProperty: string
  /** The fields that name the owners of records, by collection: the server gives them. Default: there are none. */
  ownerFields?: Readonly<Record<string, string>>
}

/** A record that is to be stored. */
interface Stored {
  readonly record: StoredRecord
  readonly collection: readonly unknown[] | undefined
  readonly before?: StoredRecord | undefined
  readonly isPartial?: boolean
  /** The fields of the server, which are not looked at. */
  readonly own: readonly string[]
}

/**
 * Reads the options, and the schemas again where others have taken their places.
 *
 * @returns a function that returns what is stored now of what is sent
 * @throws OptionError for one that cannot be used
 */
export function currentSchemas({
  schemas,
  ...options
}: Omit<SchemaOptions, 'schemas'> & { schemas: Current<Schemas> | undefined }) {
  if (schemas === undefined && options.schemaRefusal !== undefined)
    throw new OptionError('schema-refusal needs schemas: add --schemas schemas.json.')
  const current = madeFrom(schemas ?? {}, (given) => readSchemas({ ...options, schemas: given }))
  current()
  return current
}

/** Gives what records must be, as it is now. */
export type CurrentSchemas = ReturnType<typeof currentSchemas>

/**
 * Reads the options: what is stored of what is sent.
 *
 * @throws OptionError for one that cannot be used
 */
export function readSchemas({
  schemas = {},
  schemaRefusal,
  timeStamps = [],
  ids,
  idProperty,
  ownerFields = {},
}: SchemaOptions) {
  if (timeStamps.length > 2 || !timeStamps.every((name) => typeof name === 'string' && name !== ''))
    throw new OptionError(`timeStamps must be ${TIME_STAMPS_FORM}.`)
  if (ids !== undefined && ids !== 'uuid') throw new OptionError('ids must be uuid, or be left out.')
  // What the server itself gives to a record: nobody has to send it, and what is sent of it is no change.
  const ownFieldsOf = (name: string) => [idProperty, ...timeStamps, ...[ownerFields[name] ?? []].flat()]
  const settings = {
    schemas: compileSchemas(schemas, ownFieldsOf),
    refuse: readSchemaRefusal(schemaRefusal),
    stamps: new Stamps(timeStamps),
    timeStamps,
    ids,
    idProperty,
    ownFieldsOf,
  }
  return {
    ...settings,
    /** The rules for what one request sends. @param clock milliseconds since the epoch */
    rulesFor: (sent: SentBody, clock: () => number): RecordRules => new SchemaRules(settings, sent, clock),
    /** What they say, for a document. */
    described: madeFrom(schemas, () => describeSchemas(settings, schemas)),
  }
}

export type SchemaSettings = Omit<ReturnType<typeof readSchemas>, 'rulesFor' | 'described'>

/** The rules for what one request sends. */
class SchemaRules implements RecordRules {
  readonly #settings: SchemaSettings
  readonly #sent: SentBody
  readonly #clock: () => number

  constructor(settings: SchemaSettings, sent: SentBody, clock: () => number) {
    this.#settings = settings
    this.#sent = sent
    this.#clock = clock
  }

  add({ name, collection, sent, identify }: Addition): StoredRecord {
    const { stamps, ids, idProperty, ownFieldsOf } = this.#settings
    const schema = this.#schemaOf(name)
    const isText = (field: string, value: unknown) => this.#sent.isForm || value !== this.#sent.fields[field]
    const given = accepted(sent, {}, schema, isText)
    const own = ownFieldsOf(name).filter((field) => !given[field] || schema.shape.field(field) === undefined)
    const whole = fieldsWithDefaults(given, schema.shape)
    const hasUuids = ids === 'uuid' || schema.shape.field(idProperty)?.get('format') === 'uuid'
    identify(whole, () => (hasUuids ? randomUUID() : undefined))
    const record = stamps.add(whole, collection, this.#clock())
    this.#check(schema, { record, collection, own })
    return record
  }

  change({ name, collection, before, sent, isPartial }: RecordChange): StoredRecord {
    const { stamps, ownFieldsOf } = this.#settings
    const schema = this.#schemaOf(name)
    const isText = (field: string, value: unknown) => this.#sent.isForm && value !== before[field]
    const given = accepted(sent, before, schema, isText)
    const whole = isPartial ? { ...before, ...given } : fieldsWithDefaults(given, schema.shape)
    const record = stamps.change(whole, before, this.#clock())
    this.#check(schema, { record, collection, before, isPartial, own: ownFieldsOf(name) })
    return record
  }

  stored(change: StoredChange): void {
    for (const fields of this.#schemaOf(change.name).unique) handOnTaken(fields, change)
  }

  #schemaOf(name: string): RecordSchema {
    return this.#settings.schemas.get(name) ?? FREE
  }

  /** @throws HttpError for a record that does not fit */
  #check(schema: RecordSchema, stored: Stored): void {
    if (schema === FREE) return
    const { record, collection = [], before, isPartial = false, own } = stored
    const { problems, isFirst } = misfit(without(record, own), schema)
    // What was wrong already, where the request changes nothing, keeps nobody from mending the rest.
    const isOld = ({ field, message }: Problem): boolean => {
      const path = field.split('.')
      const [top = ''] = path
      if (before === undefined || isFirst) return false
      // A form that sends no password leaves the hash that is there.
      const text = fieldText(valueAt(record, path))
      if (isHash(text) && text === fieldText(valueAt(before, path))) return true
      if (!isPartial || (top !== '' && !isDeepStrictEqual(record[top], before[top]))) return false
      const wereWrong = () => misfit(without(before, own), schema).problems
      return top !== '' || wereWrong().some((other) => other.field === '' && other.message === message)
    }
    const taken = schema.unique
      .filter((fields) => !(isPartial && before !== undefined && haveSame(record, before, fields)))
      .filter((fields) => isValueTaken(record, fields, collection, before))
    const all = [
      ...problems.filter((problem) => !isOld(problem)),
      ...taken.map((fields) => takenProblem(fields, schema.shape)),
    ]
    if (all.length > 0) throw this.#settings.refuse(all)
  }
}

function accepted(
  sent: StoredRecord,
  before: StoredRecord,
  { shape }: RecordSchema,
  isText: (name: string, value: unknown) => boolean,
): StoredRecord {
  return withoutReadOnly(withNumbers(sent, shape, isText), before, shape)
}
