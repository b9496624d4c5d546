import type { Reference, RequestBody, Schema } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { json, referTo } from '../types'
import type { Resource } from './resource-model'

/** The schemas of a resource: a record as it is sent, and as it is read, where some fields are required. */
export function recordSchemas(
  { schemaName, inputName, kind, fields, example, id, everywhere, everyRecordHasId }: Resource,
  { idProperty }: DocumentContext,
): Record<string, Schema> {
  const { [idProperty]: _id, ...input } = example ?? {}
  const sent = { type: 'object', properties: fields, ...(example && { examples: [input] }) }
  const required = everywhere.length > 0 && { required: everywhere }
  if (kind === 'singular') return { [schemaName]: { ...sent, ...required }, [inputName]: sent }
  const own = {
    type: 'object',
    properties: { [idProperty]: id },
    ...(everyRecordHasId && { required: [idProperty] }),
  }
  return {
    [schemaName]: {
      allOf: [own, referTo('schemas', inputName)],
      ...required,
      ...(example && { examples: [example] }),
    },
    [inputName]: sent,
  }
}

/**
 * The body of a POST, which must have what every record has, except the id, so that a generated client
 * catches a misspelt field. One record says nothing about the others.
 *
 * @param set the field that the server sets
 */
export function newRecord(
  { everywhere, schemaName, inputName, recordCount }: Resource,
  set?: string,
): RequestBody | Reference {
  const required = everywhere.filter((name) => name !== set)
  if (recordCount < 2 || required.length === 0) return referTo('requestBodies', schemaName)
  return { required: true, content: json({ allOf: [referTo('schemas', inputName)], required }) }
}

/** The array of a collection: of records, or of whatever else the data has there. */
export function listSchema({ onlyRecords, schemaName }: Resource): Schema {
  return { type: 'array', items: onlyRecords ? referTo('schemas', schemaName) : {} }
}
