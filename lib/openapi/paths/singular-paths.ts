import type { DocumentContext } from '../context'
import { headers, replies } from '../replies'
import type { Resource } from '../resources/resource-model'
import { json, type Operation, type PathEntry, PROTECTED, schemaReference } from '../types'

/** What json-server's router does with a singular resource. */
export function singularPaths(resource: Resource, context: DocumentContext): PathEntry[] {
  const { segment, singularName, name } = resource
  if (segment === undefined) return []
  const operation = (verb: string, summary: string, description: string): Operation => ({
    operationId: context.operationIds.take(`${verb}${singularName}`),
    tags: [resource.tag],
    summary,
    description,
    security: PROTECTED,
    responses: {},
  })
  const content = json(schemaReference(resource.schemaName), resource.example)
  const get: Operation = {
    ...operation('get', `Get ${name}`, 'The resource: there is only one.'),
    responses: {
      200: { description: 'The resource.', headers: headers('ETag'), content },
      ...replies(304, 400, 401),
    },
  }
  if (context.readOnly) return [[`/${segment}`, { get }]]
  const write = {
    requestBody: { required: true, content },
    responses: {
      200: { description: 'The resource as it is now.', content },
      ...replies(400, 401, 413, 415, 500, 503),
    },
  }
  return [
    [
      `/${segment}`,
      {
        get,
        post: {
          ...operation('create', `Replace ${name} by a POST`, 'The same as PUT, answered by 201.'),
          requestBody: write.requestBody,
          responses: {
            201: { description: 'The resource as it is now.', headers: headers('Location'), content },
            ...replies(400, 401, 413, 415, 500, 503),
          },
        },
        put: { ...operation('replace', `Replace ${name}`, 'Its fields become those of the body.'), ...write },
        patch: {
          ...operation('update', `Change ${name}`, 'The fields of the body are changed, the others stay.'),
          ...write,
        },
      },
    ],
  ]
}
