import type { Parameter, Reference, RequestBody, Schema } from '../../docs-addition'
import templates from '../templates/resource.json'
import { template } from '../templates/template'
import { type Components, json, referTo } from '../types'
import type { Resource } from './resource-model'

const fillComponents = template(templates.components)

/** What the operations of a resource share. */
export function resourceComponents(resource: Resource, idProperty: string): Components {
  return {
    ...fillComponents(resource),
    schemas: recordSchemas(resource, idProperty),
    parameters: relationParameters(resource),
  }
}

/** The schemas of a resource: a record as it is sent, and as it is read, where some fields are required. */
function recordSchemas(resource: Resource, idProperty: string): Record<string, Schema> {
  const { schemaName, inputName, isCollection, fields, example, id, everywhere, everyRecordHasId } = resource
  const { [idProperty]: _id, ...input } = example ?? {}
  const sent = { type: 'object', properties: fields, ...(example && { examples: [input] }) }
  const own = {
    type: 'object',
    properties: { [idProperty]: id },
    ...(everyRecordHasId && { required: [idProperty] }),
  }
  return {
    [schemaName]: {
      ...(isCollection ? { allOf: [own, referTo('schemas', inputName)] } : sent),
      ...(everywhere.length > 0 && { required: everywhere }),
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

/** The query parameters that add records of other collections, by their names in the document. */
export function relationParameters({ schemaName, children, parents }: Resource): Record<string, Parameter> {
  const embedded = children.map(({ name }) => name)
  const relation = (name: string, description: string, choices: readonly string[]) => {
    const schema = { type: 'array', items: { type: 'string', enum: choices } }
    return choices.length > 0 && { [`${schemaName}${name}`]: { name, in: 'query', description, schema } }
  }
  return {
    ...relation('_embed', 'Adds the records of these collections that refer to a record.', embedded),
    ...relation('_expand', 'Adds the records that a record refers to.', parents),
  }
}

/** Whether it is one of {@link relationParameters}. */
export function isRelation(parameter: Parameter | Reference): boolean {
  return '$ref' in parameter && /_(embed|expand)$/.test(String(parameter.$ref))
}
