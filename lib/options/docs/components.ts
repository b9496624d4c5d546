import type { DocumentContext } from './context'
import { relationParameters, sharedParameters } from './paths/parameters'
import { listSchema, recordSchemas } from './resources/record-schemas'
import { ERROR_SCHEMA, HEADERS, headers, RESPONSES } from './responses'
import { type Components, json, referTo } from './types'

type Parts = Record<string, unknown>

/** The components that the paths refer to, directly or by another one. */
export function usedComponents(paths: unknown, context: DocumentContext): Components {
  const all = allComponents(context)
  const used: Record<string, Parts> = {}
  const visit = (part: unknown): void => {
    JSON.stringify(part, (key, value) => {
      const [name = '', kind = ''] = key === '$ref' ? String(value).split('/').reverse() : []
      if (kind in all && used[kind]?.[name] === undefined) {
        const component = all[kind]?.[name]
        used[kind] ??= {}
        used[kind][name] = component
        visit(component)
      }
      return value
    })
  }
  visit(paths)
  return used
}

function allComponents(context: DocumentContext): Components {
  const schemas: Parts = { Error: ERROR_SCHEMA }
  const parameters: Parts = sharedParameters(context)
  const requestBodies: Parts = {}
  const responses: Parts = { ...RESPONSES }
  for (const { components } of context.additions) {
    Object.assign(parameters, components.parameters)
    Object.assign(responses, components.responses)
  }
  for (const resource of context.resources) {
    const { schemaName, inputName } = resource
    Object.assign(schemas, recordSchemas(resource, context))
    Object.assign(parameters, relationParameters(resource))
    requestBodies[schemaName] = { required: true, content: json(referTo('schemas', inputName)) }
    responses[schemaName] = { description: 'What is stored.', content: json(referTo('schemas', schemaName)) }
    responses[`${schemaName}_list`] = {
      description: 'All records, or those that the query selects.',
      headers: headers('X-Total-Count', 'Link'),
      content: json(listSchema(resource)),
    }
  }
  return { schemas, parameters, requestBodies, responses, headers: HEADERS }
}
