import { publicNames } from '../../../auth/access-policy'
import type { PathEntry, PathItem, Response, Schema } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { pascalCase } from '../names'
import { listSchema } from '../resources/record-schemas'
import { failure, shared } from '../responses'
import { json, referTo } from '../types'
import { idParameter } from './parameters'

/** The public reads (docs/interface.md, Public reads), which never reach the router. */
export function publicPaths(context: DocumentContext): PathEntry[] {
  const { publicCollection, resources, live } = context
  const resource = resources.find(({ name, kind }) => name === publicCollection && kind === 'collection')
  if (resource?.segment === undefined) return []
  const { name, tag, schemaName } = resource
  const { singular, title } = publicNames(name)
  const shown = live ? 'are now' : 'were loaded: later changes do not show'
  const common = { tags: [tag], security: [] } as const
  const list: PathItem = {
    get: {
      ...common,
      operationId: `list${pascalCase(name)}`,
      summary: `List ${name}, without a token`,
      description: `The records as they ${shown}. A query is ignored.`,
      responses: {
        200: envelope('All records.', name, listSchema(resource)),
        304: shared('notModified'),
      },
    },
  }
  const single: PathItem = {
    parameters: [idParameter(resource, context)],
    get: {
      ...common,
      operationId: `get${schemaName}`,
      summary: `Get a record of ${name}, without a token`,
      description: 'The record as it is now. A query is ignored.',
      responses: {
        200: envelope('The record.', singular, referTo('schemas', schemaName)),
        400: shared('badPath'),
        404: failure('There is no such record.', `${title} not found`),
      },
    },
  }
  return [
    [`/${name}`, list],
    [`/${name}/{id}`, single],
    [`/${singular}/{id}`, single],
  ]
}

/** A JSON object with one field. */
function envelope(description: string, name: string, schema: Schema): Response {
  return { description, content: json({ type: 'object', properties: { [name]: schema }, required: [name] }) }
}
