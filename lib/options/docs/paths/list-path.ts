import type { PathItem } from '../../docs-addition'
import type { DocumentContext } from '../context'
import { pascalCase } from '../names'
import { newRecord } from '../resources/record-schemas'
import type { Resource } from '../resources/resource-model'
import { BODY_FAILURES, created, saveFailures, shared } from '../responses'
import { referTo } from '../types'
import { idParameter, listParameters } from './parameters'

/** The list of a collection and the creation of a record, or of those that belong to a parent. */
export function listPath(resource: Resource, context: DocumentContext, parent?: Resource): PathItem {
  const { name, tag, schemaName } = resource
  const [suffix, where] = parent
    ? [`Of${parent.schemaName}`, `the ${name} of a record of ${parent.name}`]
    : ['', name]
  return {
    ...(parent && { parameters: [idParameter(parent, context)] }),
    get: {
      operationId: `list${pascalCase(name)}${suffix}`,
      tags: [tag],
      summary: `List ${where}`,
      parameters: listParameters(resource),
      responses: {
        200: referTo('responses', `${schemaName}_list`),
        304: shared('listNotModified'),
        400: shared('badListQuery'),
      },
    },
    post: {
      operationId: `create${schemaName}${suffix}`,
      tags: [tag],
      summary: `Add a record to ${where}`,
      requestBody: newRecord(resource, parent?.foreignKey),
      responses: {
        201: parent ? shared('added') : created(schemaName),
        409: shared('idExists'),
        ...BODY_FAILURES,
        ...saveFailures(context),
      },
    },
  }
}
