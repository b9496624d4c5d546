import type { DocumentContext } from '../context'
import { json, type Operation, type Schema, schemaReference } from '../types'
import { relationsOf } from './relations'
import type { Resource } from './resource-model'

/** The schemas of a resource: a record as it comes, as it is sent, and with its relations. */
export function recordSchemas(resource: Resource, context: DocumentContext): Record<string, Schema> {
  const { schemaName, kind, name, fields, example } = resource
  const { idProperty } = context
  // Where no fields are known, or too many, any are expected.
  const open = Object.keys(fields).length === 0 && { additionalProperties: true }
  const examples = example === undefined ? {} : { examples: [example] }
  if (kind === 'singular')
    return {
      [schemaName]: { type: 'object', description: `\`${name}\`.`, properties: fields, ...open, ...examples },
    }
  const relations = embedded(resource, context)
  return {
    [schemaName]: {
      type: 'object',
      description: `A record of \`${name}\`.`,
      properties: { [idProperty]: resource.id, ...fields },
      ...open,
      ...(resource.everyRecordHasId && { required: [idProperty] }),
      ...examples,
    },
    [`${schemaName}Input`]: {
      type: 'object',
      description: `A record of \`${name}\` as it is sent: it is given an id if it has none.`,
      properties: { [idProperty]: { ...resource.id, description: 'Left out for a new one.' }, ...fields },
      ...open,
      ...(example !== undefined && { examples: [inputExample(resource, idProperty)] }),
    },
    ...(relations !== undefined && {
      [`${schemaName}WithRelations`]: {
        description: `A record of \`${name}\` with what \`_embed\` and \`_expand\` bring along.`,
        allOf: [schemaReference(schemaName), { type: 'object', properties: relations }],
      },
    }),
  }
}

/** The example of a record without its id. */
function inputExample(resource: Resource, idProperty: string): Record<string, unknown> | undefined {
  if (resource.example === undefined) return undefined
  return Object.fromEntries(Object.entries(resource.example).filter(([key]) => key !== idProperty))
}

/** The schema of a record in the answer to a GET. */
export function recordSchema(resource: Resource, context: DocumentContext): Schema {
  const related = embedded(resource, context) !== undefined
  return schemaReference(related ? `${resource.schemaName}WithRelations` : resource.schemaName)
}

/** An item of a collection's array: a record, unless the data has something else there, too. */
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

/** The body of a request that makes or changes a record. */
export function requestBody(resource: Resource, { idProperty }: DocumentContext): Operation['requestBody'] {
  return {
    required: true,
    content: json(schemaReference(`${resource.schemaName}Input`), inputExample(resource, idProperty)),
  }
}
