import type { DocumentContext } from '../context'
import { referTo, type Schema } from '../types'
import type { Resource } from './resource-model'

/** The schemas of a resource: a record as it is sent, and for a collection as it is read. */
export function recordSchemas(
  { schemaName, inputName, kind, fields, example, id, everyRecordHasId }: Resource,
  { idProperty }: DocumentContext,
): Record<string, Schema> {
  const { [idProperty]: _id, ...input } = example ?? {}
  const sent = { type: 'object', properties: fields, ...(example && { examples: [input] }) }
  if (kind === 'singular') return { [schemaName]: sent }
  const required = everyRecordHasId && { required: [idProperty] }
  return {
    [schemaName]: {
      allOf: [
        { type: 'object', properties: { [idProperty]: id }, ...required },
        referTo('schemas', inputName),
      ],
      ...(example && { examples: [example] }),
    },
    [inputName]: sent,
  }
}

/** The array of a collection: of records, or of whatever else the data has there. */
export function listSchema({ onlyRecords, schemaName }: Resource): Schema {
  return { type: 'array', items: onlyRecords ? referTo('schemas', schemaName) : {} }
}
