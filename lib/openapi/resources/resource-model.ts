import pluralize from 'pluralize'
import type { Data } from '../../data/valid-data'
import { isRecord } from '../../is-record'
import { isMisreadName, pascalCase, TAGS, UniqueNames } from '../names'
import type { Schema } from '../types'
import { makeExample } from './example'
import { idSchema, inferSchema } from './infer-schema'

/** One entry of the data, as the document needs it. */
export interface Resource {
  readonly name: string
  readonly kind: 'collection' | 'singular'
  /** Its part of a path; undefined where its name has characters that the document puts into no path. */
  readonly segment: string | undefined
  readonly tag: string
  /** The names of two schemas: a record as it is read, and as it is sent (in a collection, without an id). */
  readonly schemaName: string
  readonly inputName: string
  /** The fields of one record; for a collection, without the id. */
  readonly fields: Readonly<Record<string, Schema>>
  readonly id: Schema
  /** The names of the fields that each record has, the id of a collection excepted. */
  readonly everywhere: readonly string[]
  /** Whether each record has an id. */
  readonly everyRecordHasId: boolean
  /** Whether every item of the array is a record. */
  readonly onlyRecords: boolean
  /** The first record, where it can be read without a token. */
  readonly example: Readonly<Record<string, unknown>> | undefined
}

export interface ModelOptions {
  readonly idProperty: string
  readonly publicCollection: string | false
}

/** All resources of the data as they are now. */
export function describeResources(data: Data, { idProperty, publicCollection }: ModelOptions): Resource[] {
  const schemaNames = new UniqueNames(['Error'])
  const tags = new UniqueNames(Object.values(TAGS))
  return Object.entries(data)
    .filter(([name]) => name !== '$schema' && !isMisreadName(name))
    .map(([name, content]) => {
      const isSingular = !Array.isArray(content)
      const items: readonly unknown[] = isSingular ? [content] : content
      const records = items.filter(isRecord)
      const [first] = records
      const inferred = Object.entries(inferSchema(records).properties ?? {})
      const fields = isSingular ? inferred : inferred.filter(([key]) => key !== idProperty)
      const ids = records.map((record) => record[idProperty]).filter((id) => id !== undefined)
      const schemaName = schemaNames.take(pascalCase(isSingular ? name : pluralize.singular(name)))
      return {
        name,
        kind: isSingular ? 'singular' : 'collection',
        segment: /^(?!\.\.?$)[\w.~-]+$/.test(name) ? name : undefined,
        tag: tags.take(name || '(no name)'),
        schemaName,
        inputName: schemaNames.take(`${schemaName}Input`),
        fields: Object.fromEntries(fields),
        everywhere: fields
          .map(([key]) => key)
          .filter((key) => records.every((record) => isWritten(record[key]))),
        id: idSchema(ids),
        everyRecordHasId: ids.length === records.length,
        onlyRecords: records.length === items.length,
        // A record with too many fields to describe gets no example: it would list them all.
        example:
          first && !isSingular && name === publicCollection && inferred.length > 0
            ? makeExample(first)
            : undefined,
      }
    })
}

/** Whether JSON writes a field with this value. */
function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}
