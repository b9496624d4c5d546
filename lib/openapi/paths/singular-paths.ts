import type { DocumentContext } from '../context'
import type { Resource } from '../resources/resource-model'
import { BAD_QUERY, BODY_FAILURES, headers, NO_TOKEN, notModified, SAVE_FAILURES } from '../responses'
import { json, type Operation, type PathEntry, PROTECTED, schemaReference } from '../types'

/** What json-server's router does with a singular resource. */
export function singularPaths(resource: Resource, context: DocumentContext): PathEntry[] {
  const { segment, singularName, name, tag } = resource
  if (segment === undefined) return []
  const operation = (verb: string, summary: string, description: string): Operation => ({
    operationId: context.operationIds.take(`${verb}${singularName}`),
    tags: [tag],
    summary,
    description,
    security: PROTECTED,
    responses: { 401: NO_TOKEN },
  })
  const content = json(schemaReference(resource.schemaName))
  const read = operation('get', `Get ${name}`, 'The resource: there is only one.')
  const get: Operation = {
    ...read,
    responses: {
      ...read.responses,
      200: { description: 'The resource.', headers: headers('ETag'), content },
      304: notModified('ETag'),
      400: BAD_QUERY,
    },
  }
  if (context.readOnly) return [[`/${segment}`, { get }]]
  const write = (verb: string, summary: string, description: string, status = 200): Operation => {
    const described = operation(verb, summary, description)
    return {
      ...described,
      requestBody: { required: true, content },
      responses: {
        ...described.responses,
        [status]: {
          description: 'The resource as it is now.',
          ...(status === 201 && { headers: headers('Location') }),
          content,
        },
        ...BODY_FAILURES,
        ...(context.savesToFile && SAVE_FAILURES),
      },
    }
  }
  const post = write('create', `Replace ${name} by a POST`, 'The same as PUT, with the status 201.', 201)
  const put = write('replace', `Replace ${name}`, 'Its fields become those of the body.')
  const patch = write('update', `Change ${name}`, 'The fields of the body are changed, the others stay.')
  return [[`/${segment}`, { get, post, put, patch }]]
}
