import type { DocumentContext } from '../context'
import { json, type RequestBody, type Schema, schemaReference } from '../types'
import { relationsOf } from './relations'
import type { Resource } from './resource-model'

/** The schemas of a resource: a record as it is read, as it is sent, and with its relations. */
export function recordSchemas(resource: Resource, context: DocumentContext): Record<string, Schema> {
  const { schemaName, kind, name, fields, example, id } = resource
  const { idProperty } = context
  if (kind === 'singular')
    return { [schemaName]: { type: 'object', description: `\`${name}\`.`, properties: fields } }
  const relations = embedded(resource, context)
  const { [idProperty]: _id, ...input } = example ?? {}
  // The example has fields even where there were too many to list.
  const open = example && Object.keys(fields).length === 0 && { additionalProperties: true }
  return {
    [schemaName]: {
      type: 'object',
      description: `A record of \`${name}\`.`,
      properties: { [idProperty]: id, ...fields },
      ...open,
      ...(resource.everyRecordHasId && { required: [idProperty] }),
      ...(example && { examples: [example] }),
    },
    [`${schemaName}Input`]: {
      type: 'object',
      description: `A record of \`${name}\` as it is sent. It may have an id of its own.`,
      properties: fields,
      ...open,
      ...(example && { examples: [input] }),
    },
    ...(relations !== undefined && {
      [`${schemaName}WithRelations`]: {
        description: `A record of \`${name}\` with what \`_embed\` and \`_expand\` add.`,
        allOf: [schemaReference(schemaName), { type: 'object', properties: relations }],
      },
    }),
  }
}

/** The schema of a record in the response to a GET. */
export function recordSchema(resource: Resource, context: DocumentContext): Schema {
  const related = embedded(resource, context) !== undefined
  return schemaReference(related ? `${resource.schemaName}WithRelations` : resource.schemaName)
}

/** An item of a collection's array: a record, or whatever else the data has there. */
export function itemSchema({ others }: Resource, record: Schema): Schema {
  return others === undefined ? record : { anyOf: [record, others] }
}

function embedded(resource: Resource, context: DocumentContext): Record<string, Schema> | undefined {
  const { children, parents } = relationsOf(resource, context.resources, context.foreignKeySuffix)
  const properties = [
    ...children.map(
      ({ name, resource: child }) =>
        [name, { type: 'array', items: schemaReference(child.schemaName) }] as const,
    ),
    ...parents.map(({ name, resource: parent }) => [name, schemaReference(parent.schemaName)] as const),
  ].filter(([name]) => !Object.hasOwn(resource.fields, name) && name !== context.idProperty)
  return properties.length > 0 ? Object.fromEntries(properties) : undefined
}

/** The body of a request that creates or changes a record or a singular resource. */
export function requestBody({ kind, schemaName }: Resource): RequestBody {
  return {
    required: true,
    content: json(schemaReference(kind === 'singular' ? schemaName : `${schemaName}Input`)),
  }
}
