import pluralize from 'pluralize'
import type { Data } from '../../data/data-source'
import { isRecord } from '../../is-record'
import { isMisreadName, pascalCase, UniqueNames } from '../names'
import type { Schema } from '../types'
import { makeExample } from './example'
import { idSchema, inferSchema } from './infer-schema'
import { resourceSegment } from './resource-segment'

/** One entry of the data, as the document needs it. */
export interface Resource {
  readonly name: string
  readonly kind: 'collection' | 'singular'
  /** Its part of a path; undefined when no path leads to it. */
  readonly segment: string | undefined
  readonly tag: string
  /** The names of its schema and of the operations on one record and on all. */
  readonly schemaName: string
  readonly singularName: string
  readonly pluralName: string
  /** The fields of one record; for a collection, without the id. */
  readonly fields: Readonly<Record<string, Schema>>
  readonly id: Schema
  /** Whether each record has an id. */
  readonly everyRecordHasId: boolean
  /** The other items of the array, if it has any beside records. */
  readonly others: Schema | undefined
  /** The first record, where it can be read without a token. */
  readonly example: Readonly<Record<string, unknown>> | undefined
}

export interface ModelOptions {
  readonly idProperty: string
  readonly publicCollection: string | false
  /** Names that schemas and tags must not have. */
  readonly reservedSchemas: readonly string[]
  readonly reservedTags: readonly string[]
}

/** The schema of what is sent, and of what comes with embedded and expanded records. */
const SCHEMA_ENDINGS = ['Input', 'WithRelations']

/** All resources of the data as they are now. */
export function describeResources(data: Data, options: ModelOptions): Resource[] {
  const { idProperty } = options
  const schemaNames = new UniqueNames(options.reservedSchemas)
  const tags = new UniqueNames(options.reservedTags)
  return Object.entries(data)
    .filter(([name]) => name !== '$schema' && !isMisreadName(name))
    .map(([name, content]) => {
      const items: readonly unknown[] = Array.isArray(content) ? content : [content]
      const records = items.filter(isRecord)
      const [first] = records
      const kind = Array.isArray(content) ? 'collection' : 'singular'
      const fields = Object.entries(inferSchema(records).properties ?? {})
      const ids = records.map((record) => record[idProperty]).filter((id) => id !== undefined)
      const singular = kind === 'collection' ? pluralize.singular(name) : name
      return {
        name,
        kind,
        segment: resourceSegment(name),
        tag: tags.take(name || '(no name)'),
        schemaName: schemaNames.take(pascalCase(singular), SCHEMA_ENDINGS),
        singularName: pascalCase(singular),
        pluralName: pascalCase(name),
        fields: Object.fromEntries(fields.filter(([key]) => kind === 'singular' || key !== idProperty)),
        id: idSchema(ids),
        everyRecordHasId: ids.length === records.length,
        others:
          records.length < items.length ? inferSchema(items.filter((item) => !isRecord(item))) : undefined,
        example:
          first && kind === 'collection' && name === options.publicCollection
            ? makeExample(first)
            : undefined,
      }
    })
}
