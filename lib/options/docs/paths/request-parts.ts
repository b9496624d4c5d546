import type { Part } from '../../docs-addition'
import type { Resource } from '../context'
import { referTo } from '../types'

/**
 * The body of a POST, which must have what every record has, except the id, so that a generated client
 * catches a misspelt field. One record says nothing about the others.
 *
 * @param set the field that the server sets
 */
export function newRecord(
  { commonFields, schemaName, inputName, recordCount }: Resource,
  set?: string,
): Part {
  const required = commonFields.filter((name) => name !== set)
  if (recordCount < 2 || required.length === 0) return referTo('requestBodies', schemaName)
  const schema = { allOf: [referTo('schemas', inputName)], required }
  return { required: true, content: { 'application/json': { schema } } }
}

/** The query parameters that add records of other collections. */
export function relationParameters({ children, parents }: Resource): Part[] {
  const relation = (name: string, description: string, choices: readonly string[]) => {
    const schema = { type: 'array', items: { type: 'string', enum: choices } }
    return choices.length > 0 ? [{ name, in: 'query', description, schema }] : []
  }
  const embedded = children.map(({ name }) => name)
  return [
    ...relation('_embed', 'Adds the records of these collections that refer to a record.', embedded),
    ...relation('_expand', 'Adds the records that a record refers to.', parents),
  ]
}

/** Whether it is one of {@link relationParameters}. */
export function isRelation({ name }: Part): boolean {
  return name === '_embed' || name === '_expand'
}
